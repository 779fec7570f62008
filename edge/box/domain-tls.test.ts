/** A domain's TLS settings besides certificates: ACME challenges, and origin ports by the visitor's scheme. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin
let mapped: StubOrigin
const thumbprint = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA'
const challenge = '/.well-known/acme-challenge/'

beforeAll(async () => {
  const cached = (text: string) =>
    StubOrigin.start((_request, response) => response.setHeader('cache-control', 'max-age=60').end(text))
  origin = await cached('own port')
  mapped = await cached('mapped port')
  const origins = [{ port: origin.port }]
  const closed = {
    denyRules: [{ id: 9, urlRegex: '', methods: [], ips: ['127.0.0.0/8'], mode: 'enforce' as const }],
  }
  const redirects = [{ id: 1, match: 'prefix' as const, value: '/', target: '/x', status: 301, keepQuery: false }]
  box = await Box.start({ workers: 1 }, (disk) =>
    disk.feed(
      disk.site({ hosts: ['auto.test'], origins, acme: thumbprint, forceSsl: true, redirects, firewall: closed }),
      disk.site({ site: 2, hosts: ['own.test'], origins }),
      disk.site({ site: 3, hosts: ['ports.test'], origins, ports: { https: mapped.port } }),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
  await mapped?.end()
})

test('ACME tokens get the thumbprint before bans, redirects and forced HTTPS, over HTTP and TLS', async () => {
  for (const tls of [false, true]) {
    const reply = await box.request('auto.test', `${challenge}DGyRejmCefe7v4NfDGDKfA`, { tls })
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([
      200,
      `DGyRejmCefe7v4NfDGDKfA.${thumbprint}`,
      'text/plain',
    ])
  }
  expect((await box.request('auto.test', '/page')).status).toBe(403)
})

test('an invalid token is not treated as a challenge', async () => {
  for (const rest of ['', 'a/b', '../x', 'a%0d%0ab', '<script>', 'x'.repeat(300)])
    expect([rest, (await box.request('auto.test', challenge + rest)).status]).toEqual([
      rest,
      rest === 'a%0d%0ab' ? 400 : 403,
    ])
})

test('without automatic certificates the origin gets its own challenges', async () => {
  expect((await box.request('own.test', `${challenge}abc`)).text).toBe('own port')
})

test.each(['GET', 'POST'])(
  'a port map sends requests over TLS to a different port of the origin (%s)',
  async (method) => {
    const text = async (tls: boolean, headers = {}) =>
      (await box.request('ports.test', '/a', { method, tls, headers, ...(method === 'POST' && { body: 'x' }) })).text
    expect(await text(true)).toBe('mapped port')
    expect(await text(false)).toBe('own port')
    // A visitor cannot forge the scheme.
    expect(await text(false, { 'x-bw-scheme': 'https' })).toBe('own port')
  },
)
