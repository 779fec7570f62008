/** TLS to origins: the SNI, which certificates are accepted, and keep-alive connections for one identity only. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import type { Part } from '@breakwater/contract/edge/parts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from './harness.ts'
import { authorityWith } from './origin-authority.ts'

type OriginTls = NonNullable<Extract<Part, { kind: 'settings' }>['originTls']>

const ours = authorityWith('origin.test', 'edge.test')
const other = authorityWith('origin.test')
const { cert, key, pin } = ours.issued['origin.test']!

let box: Box
let server: Server
let strict: Server
const folder = mkdtempSync(join(tmpdir(), 'bw-origin-'))
/** For each request: the SNI, the Host, the path, the number of its connection, and its Connection header. */
let asked: { sni: string; host: string; path: string; connection: number; ends: string | undefined }[] = []
const connections = new Map<object, number>()

const sites: [host: string, tls: OriginTls, originHost?: string][] = [
  ['off.test', { verify: 'off' }],
  ['system.test', { verify: 'system', serverName: 'origin.test' }],
  ['misnamed.test', { verify: 'system' }],
  ['ca.test', { verify: 'ca', ca: ours.ca, serverName: 'origin.test' }],
  ['other-ca.test', { verify: 'ca', ca: other.ca, serverName: 'origin.test' }],
  ['ca-misnamed.test', { verify: 'ca', ca: ours.ca }],
  ['pin.test', { verify: 'pin', pins: [pin] }],
  ['other-pin.test', { verify: 'pin', pins: [other.issued['origin.test']!.pin] }],
  ['host.test', { verify: 'off' }, 'backend.internal'],
]

beforeAll(async () => {
  server = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
    const socket = request.socket as TLSSocket & { servername: string }
    if (!connections.has(socket)) connections.set(socket, connections.size)
    asked.push({
      sni: socket.servername,
      host: (request.headers.host ?? '').replace(/:\d+$/, ''),
      path: request.url ?? '',
      connection: connections.get(socket)!,
      ends: request.headers.connection,
    })
    response.setHeader('cache-control', 'no-store')
    if (request.url === '/empty') response.writeHead(204).end()
    else if (request.url === '/not-modified') response.writeHead(304).end()
    else if (request.url === '/whole') response.setHeader('content-length', 5).end('whole')
    else if (request.url === '/pieces') {
      response.write('pie')
      response.end('ces')
    } else request.on('data', () => undefined).on('end', () => response.end(`origin ${request.url}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // Requires a client certificate of our authority, and returns its common name.
  strict = createServer(
    { cert, key, ca: ours.ca, requestCert: true, rejectUnauthorized: true },
    (request, response) => {
      response.setHeader('cache-control', 'no-store')
      response.end((request.socket as TLSSocket).getPeerCertificate().subject.CN)
    },
  )
  await new Promise<void>((resolve) => strict.listen(0, '127.0.0.1', resolve))
  const strictPort = (strict.address() as AddressInfo).port
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, ours.ca)
  box = await Box.start({ workers: 1, caFile }, (disk) => {
    for (const [n, [host, originTls, originHost]] of sites.entries()) {
      const settings = { originTls, ...(originHost && { originHost }) }
      disk.feed(disk.site({ site: n + 1, hosts: [host], origins: [{ id: n + 1, port, tls: true }], settings }))
    }
    const known = (site: number, host: string, facts: object) =>
      disk.feed(disk.site({ site, hosts: [host], origins: [{ id: site, port: strictPort, tls: true }], ...facts }))
    const own = ours.issued['edge.test']!
    known(21, 'mutual.test', { settings: { originCertificate: own.cert }, originKey: own.key })
    known(22, 'stranger.test', {})
    known(23, 'keyless.test', { settings: { originCertificate: own.cert }, originKey: 'no key' })
  })
})
afterAll(async () => {
  await box?.end()
  server?.closeAllConnections()
  server?.close()
  strict?.closeAllConnections()
  strict?.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the SNI is the Host, or the name that the site specifies', async () => {
  asked = []
  for (const host of ['off.test', 'system.test', 'host.test']) expect((await box.request(host, '/a')).status).toBe(200)
  expect(asked.map(({ sni, host }) => [sni, host])).toEqual([
    ['off.test', 'off.test'],
    ['origin.test', 'system.test'],
    ['backend.internal', 'backend.internal'],
  ])
})

test.each(['system.test', 'ca.test', 'pin.test'])('a certificate trusted by the site is accepted: %s', async (host) => {
  expect((await box.request(host, '/ok')).text).toBe('origin /ok')
})

test('an origin with a wrong certificate never gets a request, and page and log contain the reason', async () => {
  asked = []
  const refused = ['misnamed.test', 'other-ca.test', 'ca-misnamed.test', 'other-pin.test']
  for (const host of refused) {
    for (const method of ['GET', 'POST']) {
      const page = await box.request(host, `/refused-${host}`, { method, headers: { accept: 'text/html' } })
      expect([page.status, page.text.includes('No trusted connection')], page.text).toEqual([502, true])
    }
    const json = await box.request(host, `/refused-${host}`, { headers: { accept: 'application/json' } })
    expect(JSON.parse(json.text)).toMatchObject({
      status: 502,
      detail: 'No trusted connection to its server could be made.',
    })
  }
  // An origin that answers the handshake immediately is refused on a different code path than a slow one.
  const many = await Promise.all(Array.from({ length: 60 }, (_, n) => box.request(refused[n % 4]!, `/burst${n}`)))
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([502]))
  expect(asked).toEqual([])
  const rows = () => box.rows().filter(({ path }) => path.startsWith('/refused-'))
  await until('their rows', () => rows().length === 12)
  expect(rows().map(({ status, originFailure }) => [status, originFailure])).toEqual(Array(12).fill([502, 'tls']))
  for (const { originAddress } of rows()) expect(originAddress).toMatch(/^127\.0\.0\.1:\d+$/)
})

test('connections are kept alive per verified identity, and every response ends where it should', async () => {
  asked = []
  const paths = ['/whole', '/pieces', '/empty', '/not-modified', '/a']
  for (let n = 0; n < 6; n++) {
    for (const host of ['off.test', 'system.test', 'ca.test', 'pin.test']) {
      for (const path of paths) {
        const { text } = await box.request(host, path)
        expect(text).toBe(
          path === '/whole' ? 'whole' : path === '/pieces' ? 'pieces' : path === '/a' ? 'origin /a' : '',
        )
      }
      expect((await box.request(host, '/whole', { method: 'HEAD' })).text).toBe('')
    }
  }
  expect(asked.length).toBe(6 * 4 * 6)
  const used = (host: string) => new Set(asked.filter((one) => one.host === host).map(({ connection }) => connection))
  const hosts = ['off.test', 'system.test', 'ca.test', 'pin.test']
  for (const host of hosts) expect(used(host).size, host).toBe(1)
  expect(new Set(hosts.flatMap((host) => [...used(host)])).size).toBe(4)
})

test('requests that must not be retried get a new connection; a closed kept one is no failure', async () => {
  asked = []
  await box.request('off.test', '/a')
  for (let n = 0; n < 3; n++)
    expect((await box.request('off.test', `/post${n}`, { method: 'POST', body: 'x' })).status).toBe(200)
  const posts = asked.filter(({ path }) => path.startsWith('/post'))
  expect(new Set(posts.map(({ connection }) => connection)).size).toBe(3)
  expect(posts.map(({ ends }) => ends)).toEqual(['close', 'close', 'close'])
  server.closeIdleConnections()
  expect((await box.request('off.test', '/after')).text).toBe('origin /after')
})

test('an origin that requires a client certificate gets the site’s own, and no other site can use it', async () => {
  for (let n = 0; n < 3; n++) expect((await box.request('mutual.test', `/${n}`)).text).toBe('edge.test')
  for (const host of ['stranger.test', 'keyless.test']) expect((await box.request(host, '/')).status, host).toBe(502)
})
