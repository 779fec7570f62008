/**
 * HTTP/3 on the wire: to whom it is offered, and that it is guarded like the other versions. Uses curl and Chromium if
 * curl and nginx support it: on Debian 13, or with `script/debian-13`. Elsewhere these tests are reported as skipped.
 */
import { execFile } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../tests/harness/ports.ts'
import { withPage } from './chromium.ts'
import { Box, until } from './harness.ts'
import { isHttp3Here } from './http3.ts'
import { StubOrigin } from './origin.ts'

let origin: StubOrigin
beforeAll(async () => {
  origin = await StubOrigin.start((_request, response, { url, body }) => {
    response.setHeader('alt-svc', 'h3=":9"').setHeader('cache-control', url === '/live' ? 'no-store' : 'max-age=60')
    response.end(`origin ${url} ${body.length}`)
  })
})
afterAll(() => origin?.end())

test('a node that does not listen for HTTP/3 never sends Alt-Svc, and drops the origin’s', async () => {
  const box = await Box.start({ workers: 1 }, (disk) => disk.feed(disk.site({ origins: [{ port: origin.port }] })))
  try {
    for (const tls of [true, false])
      for (const path of ['/a', '/live']) {
        const { status, headers } = await box.request('site.test', path, { tls })
        expect([status, headers['alt-svc']], path).toEqual([200, undefined])
      }
  } finally {
    await box.end()
  }
})

describe.skipIf(!isHttp3Here)('with an nginx that speaks it', () => {
  let box: Box
  /** An additional port of the zone that the site uses. */
  let further: number
  beforeAll(async () => {
    further = await freePort()
    const denyRules = [{ id: 1, urlRegex: '^/denied', methods: [], ips: ['127.0.0.0/8'], mode: 'enforce' as const }]
    const origins = [{ port: origin.port }]
    box = await Box.start({ workers: 2, http3: true, ports: [{ port: further, tls: true }] }, (disk) =>
      disk.feed(
        disk.site({ origins, firewall: { denyRules }, settings: { bodyBytesMax: 10_000, ports: [further] } }),
        disk.site({ site: 2, hosts: ['without.test'], origins, settings: { http3: false } }),
      ),
    )
  })
  afterAll(() => box?.end())

  type Told = { status: string; version: string; headers: string; body: string }

  /** The response, or undefined if no connection was established. */
  const ask = (host: string, path: string, ...words: string[]) => askAt(box.settings.httpsPort, host, path, ...words)
  async function askAt(port: number, host: string, path: string, ...words: string[]): Promise<Told | undefined> {
    const url = `https://${host}:${port}${path}`
    const asking = ['-sk', '-i', '--max-time', '60', '--resolve', `${host}:${port}:127.0.0.1`, ...words, url]
    const found = await promisify(execFile)('curl', asking).catch(() => undefined)
    if (!found) return undefined
    const [, version, status, headers, body] = /^HTTP\/(\S+) (\d+)[^\n]*\n([\s\S]*?)\r\n\r\n([\s\S]*)$/.exec(
      found.stdout,
    )!
    return { status: status!, version: version!, headers: headers!, body: body! }
  }
  const http3 = (host: string, path: string, ...words: string[]) => ask(host, path, '--http3-only', ...words)

  test('pages come from the cache, bodies reach the origin, guards refuse, and rows contain the version', async () => {
    expect(await http3('site.test', '/page')).toMatchObject({ version: '3', status: '200', body: 'origin /page 0' })
    expect((await http3('site.test', '/page'))?.headers).toMatch(/x-cache: HIT/i)
    expect((await http3('site.test', '/live', '-d', 'x'.repeat(5000)))?.body).toBe('origin /live 5000')
    expect((await http3('site.test', '/live', '-d', 'x'.repeat(10_001)))?.status).toBe('413')
    expect((await http3('site.test', '/denied'))?.status).toBe('403')
    await until('rows', () => box.rows().filter(({ httpVersion }) => httpVersion === '3').length >= 5)
    expect(box.rows().find(({ path }) => path === '/denied')).toMatchObject({
      guard: 'denyRules',
      address: '127.0.0.1',
    })
  })

  test('HTTP/3 is announced only on responses over TLS, and only by sites that have it enabled', async () => {
    const { httpsPort } = box.settings
    for (const version of ['--http1.1', '--http2']) {
      const answer = await ask('site.test', '/page', version)
      expect(answer?.headers, version).toMatch(new RegExp(`alt-svc: h3=":${httpsPort}"; ma=86400`, 'i'))
      expect(answer?.headers.match(/alt-svc/gi)).toHaveLength(1)
    }
    expect((await ask('site.test', '/denied', '--http2'))?.headers).toMatch(/alt-svc: h3/i)
    expect((await box.request('site.test', '/page')).headers['alt-svc']).toBeUndefined()
    expect((await ask('without.test', '/page', '--http2'))?.headers).not.toMatch(/alt-svc/i)
  })

  test('a browser uses HTTP/3, and its rows contain the version', () => {
    const { folder, httpsPort } = box.settings
    const { publicKey } = new X509Certificate(readFileSync(join(folder, 'default.crt')))
    const pin = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64')
    // Browsers reject self-signed certificates for QUIC, and switch to it only with their second connection.
    const args = [`--ignore-certificate-errors-spki-list=${pin}`, `--origin-to-force-quic-on=site.test:${httpsPort}`]
    return withPage(
      async (page) => {
        const reply = await page.goto(`https://site.test:${httpsPort}/browser`)
        expect([reply?.status(), await reply?.text()]).toEqual([200, 'origin /browser 0'])
        expect(await page.evaluate(`performance.getEntriesByType('navigation')[0].nextHopProtocol`)).toBe('h3')
        await until('its row', () =>
          box.rows().some(({ path, httpVersion }) => path === '/browser' && httpVersion === '3'),
        )
      },
      { args },
    )
  })

  test('an additional port of the zone offers HTTP/3 for sites that chose the port', async () => {
    const told = await askAt(further, 'site.test', '/page', '--http2')
    expect(told?.headers).toMatch(new RegExp(`alt-svc: h3=":${further}"`, 'i'))
    const at = (host: string) => askAt(further, host, '/page', '--http3-only')
    expect(await at('site.test')).toMatchObject({ version: '3', status: '200' })
    expect(await at('without.test')).toBeUndefined()
  })

  test('a site without HTTP/3, and an unknown name, fail the handshake', async () => {
    expect(await http3('without.test', '/page')).toBeUndefined()
    expect(await http3('nobody.test', '/page')).toBeUndefined()
    expect((await http3('site.test', '/page'))?.status).toBe('200')
  })

  test('HTTP/3 works again after a reload', async () => {
    await box.reconfigure({ heads: { line: 8192, request: 32_768, response: 8192 } })
    await expect.poll(async () => (await http3('site.test', '/page'))?.status, { timeout: 120_000 }).toBe('200')
  })
})
