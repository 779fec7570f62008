/** Certificates on the wire, with OpenSSL's client and Chromium: each name gets its own, and never another name's. */
import { execFile } from 'node:child_process'
import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selfSigned } from '../src/agent/der.ts'
import { withPage } from './chromium.ts'
import { Box } from './harness.ts'
import { certificateFor } from './make-certificate.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

const a = certificateFor(1, 'a.test')
const aRsa = certificateFor(2, 'a.test', 'rsa')
const b = certificateFor(3, '*.b.test')
const past = Math.floor(Date.now() / 1000) - 86_400
const ended = {
  ...certificateFor(4, 'old.test'),
  chain: selfSigned(createPrivateKey(a.key), 'ended', -1),
  key: a.key,
  notAfter: past,
}
const renewed = { ...certificateFor(5, 'renewed.test'), isAutomatic: true }
const automatic = { ...certificateFor(6, 'both.test'), isAutomatic: true }
const uploaded = certificateFor(7, 'both.test', 'rsa')

const hosts = ['a.test', 'one.b.test', 'old.test', 'renewed.test', 'both.test', 'none.test']
const certificates = {
  'a.test': [a, aRsa],
  'one.b.test': [b],
  'old.test': [ended],
  'renewed.test': [{ ...ended, id: 8 }, renewed],
  'both.test': [uploaded, automatic],
}

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>')
  })
  box = await Box.start({ workers: 1 }, (disk) =>
    disk.feed(
      disk.site({ hosts, origins: [{ port: origin.port }], certificates }),
      disk.site({ site: 2, hosts: ['theirs.test'], origins: [{ port: origin.port }] }),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

/** A handshake by OpenSSL: the certificate presented, or undefined if the handshake failed. */
function shown(name: string | undefined, ...options: string[]): Promise<{ pem: string | undefined; said: string }> {
  const port = box.settings.httpsPort
  const sni = name === undefined ? ['-noservername'] : ['-servername', name]
  return new Promise((resolve) => {
    const child = execFile(
      'openssl',
      ['s_client', '-connect', `127.0.0.1:${port}`, ...sni, ...options],
      (_error, out, err) =>
        resolve({
          pem: /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n/.exec(out)?.[0],
          said: out + err,
        }),
    )
    child.stdin!.end()
  })
}
const fingerprint = (pem: string | undefined) => pem && new X509Certificate(pem).fingerprint256

test.each(['-tls1_2', '-tls1_3'])(
  'each name presents its own certificate (%s), of a type that the client accepts',
  async (version) => {
    const of = async (name: string, ...options: string[]) => fingerprint((await shown(name, version, ...options)).pem)
    expect(await of('a.test')).toBe(fingerprint(a.chain))
    expect(await of('a.test', '-sigalgs', 'RSA-PSS+SHA256')).toBe(fingerprint(aRsa.chain))
    expect(await of('A.Test')).toBe(fingerprint(a.chain))
    expect(await of('one.b.test')).toBe(fingerprint(b.chain))
  },
)

test('a client that verifies the certificate accepts it', async () => {
  const file = join(box.settings.folder, 'a.pem')
  writeFileSync(file, a.chain)
  const { said } = await shown('a.test', '-CAfile', file, '-verify_hostname', 'a.test', '-verify_return_error')
  expect(said).toContain('Verify return code: 0 (ok)')
})

test('an unknown name, a name without a certificate, and no SNI fail the handshake', async () => {
  for (const name of ['nobody.test', 'none.test', 'two.b.test', undefined])
    expect([name, (await shown(name)).pem]).toEqual([name, undefined])
})

test('an expired certificate is presented if there is no other; a valid automatic one takes precedence', async () => {
  expect(fingerprint((await shown('old.test')).pem)).toBe(fingerprint(ended.chain))
  expect(fingerprint((await shown('renewed.test')).pem)).toBe(fingerprint(renewed.chain))
})

test('a valid uploaded certificate takes precedence over an automatic one, whatever its key type', async () => {
  expect(fingerprint((await shown('both.test')).pem)).toBe(fingerprint(uploaded.chain))
})

test('a new certificate is presented as soon as it is applied, without a reload', async () => {
  const next = { ...certificateFor(9, 'theirs.test') }
  const entry = box.disk.site({
    ...{ site: 2, revision: 2, hosts: ['theirs.test'], origins: [{ port: origin.port }] },
    certificates: { 'theirs.test': [next] },
  })
  const before = box.workers()
  expect(fingerprint((await shown('theirs.test')).pem)).not.toBe(fingerprint(next.chain))
  expect(await box.control('POST', '/apply', { entries: [entry] })).toEqual({ refused: [] })
  expect(fingerprint((await shown('theirs.test')).pem)).toBe(fingerprint(next.chain))
  expect(box.workers()).toEqual(before)
})

test('a browser opens the site over HTTP/2 with its certificate, and is refused for an unknown name', async () => {
  const spki = createHash('sha256')
    .update(new X509Certificate(a.chain).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')
  const look = async (page: Page) => {
    const at = (name: string) => `https://${name}:${box.settings.httpsPort}/`
    const reply = await page.goto(at('a.test'))
    expect([reply?.status(), (await reply?.securityDetails())?.subjectName]).toEqual([200, '1 a.test'])
    expect(await page.evaluate('performance.getEntriesByType("navigation")[0].nextHopProtocol')).toBe('h2')
    await expect(page.goto(at('nobody.test'))).rejects.toThrow(/ERR_/)
  }
  await withPage(look, { args: [`--ignore-certificate-errors-spki-list=${spki}`] })
})

test('forced HTTPS redirects to the same URL over TLS, before the cache and the origin', async () => {
  const forced = box.disk.site({
    ...{ site: 3, hosts: ['forced.test'], origins: [{ port: origin.port }], forceSsl: true },
    headers: [{ id: 1, type: 'response', key: 'X-Own', value: 'here' }],
    redirects: [{ id: 1, match: 'exact', value: '/old', target: '/new', status: 302, keepQuery: true }],
  })
  expect(await box.control('POST', '/apply', { entries: [forced] })).toEqual({ refused: [] })
  const { httpsPort } = box.settings
  const asked = origin.asked.length
  for (const path of ['/', '/a%20b/../c?x=%2F&y', '//evil.test/'])
    expect(await box.request('forced.test', path)).toMatchObject({
      status: 301,
      headers: { location: `https://forced.test:${httpsPort}${path}`, 'x-own': 'here', 'content-length': '0' },
    })
  expect((await box.request('forced.test', '/x', { method: 'POST', body: 'a' })).status).toBe(301)
  expect((await box.request('forced.test', '/old')).headers.location).toBe('/new')
  expect(origin.asked.length).toBe(asked)
  expect((await box.request('forced.test', '/', { tls: true })).status).toBe(200)
})

test('Explain reports forced HTTPS, but not for a request over TLS', async () => {
  const entry = box.disk.site({ site: 3, hosts: ['forced.test'], origins: [{ port: origin.port }], forceSsl: true })
  const explained = (scheme: string) =>
    box.control<{ verdict: string; location?: string; steps: { guard: string; outcome: string }[] }>(
      'POST',
      '/explain',
      {
        artefact: entry.artefact,
        request: {
          ...{ site: 3, host: 'forced.test', address: '198.51.100.7', scheme, method: 'GET', path: '/a', query: 'b=1' },
          ...{ headers: {}, time: Date.now() / 1000, country: 'TW' },
        },
      },
    )
  const plain = await explained('http')
  expect(plain).toMatchObject({ verdict: 'redirect', location: 'https://forced.test/a?b=1' })
  expect(plain.steps).toContainEqual(expect.objectContaining({ guard: 'forceSsl', outcome: 'redirect' }))
  expect(await explained('https')).toMatchObject({ verdict: 'pass' })
})
