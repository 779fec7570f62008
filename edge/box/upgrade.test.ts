/** Upgrade: a WebSocket is tunnelled, anything else is treated as an ordinary request by guards, cache and log. */
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { exchange, RawClient, statuses } from './raw.ts'

let box: Box
let origin: StubOrigin
let eager: Server
/** Bytes received by the origin that always switches protocols. */
let tunnelled = ''
const sockets = new Set<Socket>()

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response, asked) => {
    if (asked.url.startsWith('/keep')) response.setHeader('cache-control', 'max-age=60')
    response.end(`origin ${asked.url}`)
  })
  eager = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      tunnelled += data.toString('latin1')
      const protocol = /^upgrade: *(.*)$/im.exec(data.toString('latin1'))?.[1] ?? 'websocket'
      const spoken = protocol === 'websocket' && data.includes('/lies') ? 'h2c' : protocol
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${spoken.trim()}\r\nConnection: Upgrade\r\n\r\nSECRET`)
    })
  })
  await new Promise<void>((resolve) => eager.listen(0, '127.0.0.1', resolve))
  const { port } = eager.address() as { port: number }
  box = await Box.start({}, (disk) => {
    disk.feed(
      disk.site({
        origins: [{ port: origin.port }],
        cache: [{ id: 1, prefixes: ['/never'], extensions: [], ttl: 0, ignoreQuery: false }],
        firewall: {
          denyRules: [{ id: 1, urlRegex: '^/deny', methods: [], ips: ['127.0.0.1'], mode: 'enforce' as const }],
        },
      }),
      disk.site({ site: 2, hosts: ['eager.test'], origins: [{ port }] }),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
  for (const socket of sockets) socket.destroy()
  eager?.close()
})

const asking = (host: string, line: string, headers: string) =>
  `${line} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n\r\n`

const others = [
  'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
  'Upgrade: TLS/1.0\r\nConnection: Upgrade',
  'Upgrade: websocket, h2c\r\nConnection: Upgrade',
  'Upgrade: h2c, websocket\r\nConnection: Upgrade',
  'Upgrade: websocket/13\r\nConnection: Upgrade',
  'Upgrade: foo\r\nConnection: Upgrade',
  'Upgrade: h2c\r\nUpgrade: websocket\r\nConnection: Upgrade',
  'Upgrade: websocket\r\nConnection: keep-alive',
  'Upgrade:\r\nConnection: Upgrade',
]

test.each(others)('%j never reaches an origin, on either route', async (headers) => {
  for (const line of ['GET /plain', 'POST /plain', 'GET /never']) {
    const before = origin.asked.length
    const client = await RawClient.open(box.settings.httpPort)
    client.write(asking('site.test', line, headers))
    await client.sees(`origin /`)
    expect(statuses(client.received)).toEqual([200])
    expect(origin.asked[before]!.headers).not.toHaveProperty('upgrade')
    expect(origin.asked[before]!.headers).not.toHaveProperty('http2-settings')
    client.destroy()
  }
})

test('a request whose Upgrade is removed is served from the cache', async () => {
  await box.request('site.test', '/keep')
  const client = await RawClient.open(box.settings.httpPort)
  client.write(asking('site.test', 'GET /keep', others[0]!))
  await client.sees('origin /keep')
  expect(client.received).toContain('X-Cache: HIT')
  client.destroy()
})

test('guards apply to WebSockets, too', async () => {
  const client = await RawClient.open(box.settings.httpPort)
  client.write(asking('site.test', 'GET /deny', 'Upgrade: websocket\r\nConnection: Upgrade'))
  await client.sees('HTTP/1.1 403')
  client.destroy()
})

test('a WebSocket can only be opened with GET', async () => {
  const answer = await exchange(
    box.settings.httpPort,
    asking('eager.test', 'POST /chat', 'Upgrade: websocket\r\nConnection: Upgrade, close\r\nContent-Length: 0'),
  )
  expect(statuses(answer)).toEqual([502])
  expect(answer).not.toContain('SECRET')
})

test.each(['GET /cached', 'POST /direct'])(
  'if an origin switches protocols unrequested on %s, the answer is 502, and nothing is tunnelled',
  async (line) => {
    for (const headers of [...others, 'Accept: */*']) {
      tunnelled = ''
      const client = await RawClient.open(box.settings.httpPort)
      client.write(asking('eager.test', line, `${headers}\r\nContent-Length: 0`))
      await client.sees('</html>')
      client.write('TUNNEL')
      expect(statuses(client.received), headers).toEqual([502])
      client.socket.end()
      await client.end()
      expect(client.received).not.toContain('SECRET')
      expect(tunnelled).not.toContain('TUNNEL')
    }
  },
)

test('if an origin switches to a protocol other than the requested one, the answer is 502', async () => {
  const client = await RawClient.open(box.settings.httpPort)
  client.write(asking('eager.test', 'GET /lies', 'Upgrade: websocket\r\nConnection: Upgrade'))
  await client.sees('</html>')
  expect(statuses(client.received)).toEqual([502])
  client.destroy()
})
