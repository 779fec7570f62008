/** TLS profiles and HSTS on the wire: the versions and ciphers that a site accepts, and HSTS only over TLS. */
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin
const hsts = 'max-age=31536000; includeSubDomains'

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) => {
    response.setHeader('cache-control', 'max-age=60').setHeader('strict-transport-security', 'max-age=1').end('hello')
  })
  const origins = [{ port: origin.port }]
  const denyRules = [{ id: 1, urlRegex: '^/denied', methods: [], ips: ['127.0.0.0/8'], mode: 'enforce' as const }]
  box = await Box.start({ workers: 1, trustedProxies: ['127.0.0.31/32'] }, (disk) =>
    disk.feed(
      disk.site({ hosts: ['usual.test'], origins }),
      disk.site({ site: 2, hosts: ['modern.test'], origins, settings: { tlsProfile: 'modern' } }),
      disk.site({ site: 3, hosts: ['wide.test'], origins, settings: { tlsProfile: 'wide' } }),
      disk.site({ site: 5, hosts: ['older.test'], origins, settings: { http2: false } }),
      disk.site({ site: 4, hosts: ['hsts.test'], origins, settings: { hsts }, firewall: { denyRules } }),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

type Version = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'

/** The cipher of a handshake with one TLS version, or `refused`. */
const handshake = (servername: string, version: Version, ciphers?: string) =>
  new Promise<string>((resolve) => {
    const versions = { minVersion: version, maxVersion: version }
    const options = { port: box.settings.httpsPort, servername, rejectUnauthorized: false, ...versions }
    const socket = connect({ ...options, ...(ciphers && { ciphers }) }, () => {
      resolve(socket.getCipher().name)
      socket.destroy()
    })
    socket.on('error', () => resolve('refused'))
  })

const gcm = 'ECDHE-ECDSA-AES128-GCM-SHA256'
const cbc = 'ECDHE-ECDSA-AES128-SHA'

test.each([
  ['usual.test', 'TLSv1.3', undefined, /^TLS_/],
  ['usual.test', 'TLSv1.2', gcm, gcm],
  ['usual.test', 'TLSv1.2', cbc, 'refused'],
  ['usual.test', 'TLSv1.1', undefined, 'refused'],
  ['modern.test', 'TLSv1.3', undefined, /^TLS_/],
  ['modern.test', 'TLSv1.2', gcm, 'refused'],
  ['wide.test', 'TLSv1.3', undefined, /^TLS_/],
  ['wide.test', 'TLSv1.2', gcm, gcm],
  ['wide.test', 'TLSv1.2', cbc, cbc],
  ['wide.test', 'TLSv1.1', undefined, 'refused'],
] as const)('%s over %s with %s', async (name, version, ciphers, expected) => {
  const found = await handshake(name, version, ciphers)
  if (typeof expected === 'string') expect(found).toBe(expected)
  else expect(found).toMatch(expected)
})

/** The protocol that nginx selects from a client's ALPN list, or `refused` if the handshake fails. */
const chosen = (servername: string, ALPNProtocols: string[], maxVersion: Version) =>
  new Promise<string>((resolve) => {
    const options = { port: box.settings.httpsPort, servername, rejectUnauthorized: false, ALPNProtocols, maxVersion }
    const socket = connect(options, () => {
      resolve(String(socket.alpnProtocol))
      socket.destroy()
    })
    socket.on('error', () => resolve('refused'))
  })

test.each(['TLSv1.2', 'TLSv1.3'] as const)('HTTP/2 is off for a single site, over %s', async (version) => {
  const [both, none] = [['h2', 'http/1.1'], ['h2']]
  expect(await chosen('usual.test', both, version)).toBe('h2')
  expect(await chosen('older.test', both, version)).toBe('http/1.1')
  expect(await chosen('older.test', ['http/1.1', 'h2', 'h3'], version)).toBe('http/1.1')
  expect(await chosen('older.test', none, version)).toBe('refused')
  expect(await chosen('usual.test', none, version)).toBe('h2')
})

test('a site without HTTP/2 responds, but not on another site’s HTTP/2 connection', async () => {
  expect((await box.request('older.test', '/', { tls: true })).body.toString()).toBe('hello')
  const options = { servername: 'usual.test', rejectUnauthorized: false }
  const visitor = connectHttp2(`https://127.0.0.1:${box.settings.httpsPort}`, options)
  const asked = visitor.request({ ':path': '/', ':authority': 'older.test' })
  const [head] = await once(asked, 'response')
  expect(head[':status']).toBe(421)
  visitor.destroy()
})

test('an address that too often requests unknown names in TLS handshakes is banned, and no other is', async () => {
  const greet = (servername: string, localAddress: string) =>
    new Promise<string>((resolve) => {
      const options = { port: box.settings.httpsPort, host: '127.0.0.1', servername, localAddress }
      const socket = connect({ ...options, rejectUnauthorized: false }, () => {
        resolve('greeted')
        socket.destroy()
      })
      socket.on('error', () => resolve('refused'))
    })
  const scan = async (localAddress: string, times: number) => {
    for (let time = 0; time < times; time += 1) expect(await greet(`nobody${time}.test`, localAddress)).toBe('refused')
  }
  await scan('127.0.0.21', 10)
  expect(await greet('usual.test', '127.0.0.21')).toBe('greeted')
  await box.control('POST', '/configuration', { revision: 1, forceSSLRedirectCode: 301, tlsLimitCount: 3 })
  await scan('127.0.0.22', 3)
  expect(await greet('usual.test', '127.0.0.22')).toBe('greeted')
  await scan('127.0.0.22', 1)
  expect(await greet('usual.test', '127.0.0.22')).toBe('refused')
  expect(box.begunBans().map(({ address, asked }) => [address, asked])).toEqual([['127.0.0.22', 'TLS nobody0.test']])
  expect(await greet('usual.test', '127.0.0.23')).toBe('greeted')
  // Trusted proxies represent many visitors.
  await scan('127.0.0.31', 10)
  expect(await greet('usual.test', '127.0.0.31')).toBe('greeted')
  await box.control('POST', '/configuration', { revision: 2, forceSSLRedirectCode: 301 })
  expect(await greet('usual.test', '127.0.0.22')).toBe('greeted')
})

test('every response over TLS has the site’s HSTS instead of the origin’s, and none over plain HTTP', async () => {
  const said = async (path: string, options = {}) =>
    (await box.request('hsts.test', path, options)).headers['strict-transport-security']
  for (const path of ['/', '/', '/denied']) expect([path, await said(path, { tls: true })]).toEqual([path, hsts])
  expect(await said('/', { tls: true, method: 'POST', body: 'x' })).toBe(hsts)
  expect([await said('/'), await said('/denied')]).toEqual(['max-age=1', undefined])
  expect((await box.request('usual.test', '/', { tls: true })).headers['strict-transport-security']).toBe('max-age=1')
})
