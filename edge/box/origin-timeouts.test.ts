/**
 * The timeouts of a site's origins, each on its own: how long a visitor waits if an origin goes silent. All other
 * timeouts are a minute.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../tests/harness/ports.ts'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { RawClient } from './raw.ts'

let box: Box
let origin: StubOrigin
let mute: Server
const sockets = new Set<Socket>()

const long = { originFirstByteTimeoutMs: 60_000, originIdleTimeoutMs: 60_000, websocketIdleTimeoutMs: 60_000 }

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    const { url } = request
    if (url === '/silent') return
    response.writeHead(200, url === '/events' ? { 'content-type': 'text/event-stream' } : {})
    response.write('begun')
    if (url === '/ok') response.end()
  })
  origin.server.on('upgrade', (_request, socket) => {
    sockets.add(socket.on('error', () => undefined) as Socket)
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  })
  // Accepts connections, but never answers the TLS handshake.
  mute = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  const mutePort = await freePort()
  await new Promise<void>((resolve) => mute.listen(mutePort, '127.0.0.1', resolve))
  const origins = [{ port: origin.port }]
  box = await Box.start({ workers: 1 }, (disk) => {
    disk.feed(
      disk.site({
        site: 1,
        hosts: ['first.test'],
        origins,
        settings: { ...long, originFirstByteTimeoutMs: 700, originIdleTimeoutMs: 700 },
      }),
      disk.site({
        site: 2,
        hosts: ['idle.test'],
        origins,
        // nginx waits for the longer of the two.
        settings: { ...long, originFirstByteTimeoutMs: 700, originIdleTimeoutMs: 1400 },
      }),
      disk.site({
        site: 3,
        hosts: ['stream.test'],
        origins,
        settings: { ...long, originIdleTimeoutMs: 300, websocketIdleTimeoutMs: 1500 },
      }),
      disk.site({
        site: 4,
        hosts: ['connect.test'],
        origins: [{ port: mutePort, tls: true }],
        settings: { ...long, originConnectTimeoutMs: 700 },
      }),
    )
  })
  for (const host of ['first.test', 'idle.test', 'stream.test']) await box.request(host, '/ok', { method: 'OPTIONS' })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  mute?.close()
  await box?.end()
  await origin?.end()
})

/** How long a call took in ms, and its result. */
async function timed<T>(run: () => Promise<T>): Promise<[ms: number, value: T]> {
  const began = performance.now()
  const value = await run()
  return [performance.now() - began, value]
}

test('an origin that does not start to respond is given up after the first-byte timeout', async () => {
  const [ms, reply] = await timed(() => box.request('first.test', '/silent', { method: 'OPTIONS' }))
  expect(reply.status).toBe(504)
  expect(ms).toBeGreaterThan(650)
  expect(ms).toBeLessThan(30_000)
})

test('a response that stalls ends after the idle timeout', async () => {
  const [ms] = await timed(() => box.request('idle.test', '/half', { method: 'OPTIONS' }).catch(() => undefined))
  expect(ms).toBeGreaterThan(1350)
  expect(ms).toBeLessThan(30_000)
})

test('event streams and WebSockets may be idle for longer than other responses', async () => {
  const headers = { accept: 'text/event-stream' }
  const [events] = await timed(() => box.request('stream.test', '/events', { headers }).catch(() => undefined))
  const [socket] = await timed(async () => {
    const client = await RawClient.open(box.settings.httpPort)
    client.write('GET /chat HTTP/1.1\r\nHost: stream.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    await client.end(30_000)
    client.destroy()
  })
  for (const ms of [events, socket]) {
    expect(ms).toBeGreaterThan(1450)
    expect(ms).toBeLessThan(30_000)
  }
})

test('an origin that completes no connection, including TLS, is given up after the connect timeout', async () => {
  const [ms, reply] = await timed(() => box.request('connect.test', '/', { method: 'OPTIONS' }))
  expect([502, 504]).toContain(reply.status)
  expect(ms).toBeGreaterThan(650)
  expect(ms).toBeLessThan(30_000)
})
