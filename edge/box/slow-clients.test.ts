/**
 * Clients below the minimum rate are disconnected; clients waiting for the origin are not. The tests run concurrently,
 * as each takes as long as the edge's timeouts.
 */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Pace, watchPace } from '../../tests/harness/pace.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { RawClient } from './raw.ts'

let box: Box
let origin: StubOrigin
/** Bounds follow the edge's timeouts; delays of a slow machine are added. */
let pace: Pace
const within = (seconds: number) => pace.within(seconds * 1000) / 1000
const big = Buffer.alloc(16_000_000, 'x')
/** Seconds that legitimate clients are kept waiting: longer than any timeout for slow ones. */
const held = 40
const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url!.split('?')[0]
  if (path === '/big') {
    request.resume()
    response.writeHead(200, { 'cache-control': 'max-age=3600' }).end(big)
  } else if (path === '/poll') {
    for await (const _ of request);
    await wait(held)
    response.end('news')
  } else if (path === '/events') {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    for (let n = 0; n < held / 2; n++) {
      response.write(`data: ${n}\n\n`)
      await wait(2)
    }
    response.end('data: end\n\n')
  } else if (path === '/busy') {
    // Does not read the body for a long time.
    await wait(Number(request.url!.split('?')[1]))
    let bytes = 0
    for await (const chunk of request) bytes += (chunk as Buffer).length
    response.end(`${bytes}`)
  } else {
    let bytes = 0
    for await (const chunk of request) bytes += (chunk as Buffer).length
    response.end(`${bytes}`)
  }
}

beforeAll(async () => {
  pace = watchPace()
  // With two parameters, the handler reads the body itself.
  origin = await StubOrigin.start((request, response) => void answer(request, response).catch(() => response.destroy()))
  origin.server.on('upgrade', (_request, socket: Socket) => {
    socket.on('error', () => undefined)
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    socket.on('data', (data) => socket.write(data))
    socket.on('end', () => socket.destroy())
  })
  box = await Box.start({}, (disk) =>
    disk.feed(
      disk.site({
        origins: [{ port: origin.port }],
        settings: { originFirstByteTimeoutMs: 120_000, originIdleTimeoutMs: 120_000, websocketIdleTimeoutMs: 120_000 },
        cache: [{ id: 1, prefixes: ['/events'], extensions: [], ttl: 0, ignoreQuery: false }],
      }),
    ),
  )
  for (let n = 0; n < 2; n++) await box.request('site.test', '/big')
})
afterAll(async () => {
  pace?.stop()
  await box?.end()
  await origin?.end()
})

/** Sends a head, then one piece every `every` seconds until the edge disconnects. Returns the seconds until then. */
async function drip(head: string, piece: string, every: number, secondsMax: number): Promise<number> {
  const client = await RawClient.open(box.settings.httpPort)
  const began = Date.now()
  client.write(head)
  const timer = setInterval(() => client.write(piece), every * 1000)
  try {
    await client.end(secondsMax * 1000)
  } finally {
    clearInterval(timer)
    client.destroy()
  }
  return (Date.now() - began) / 1000
}

const post = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: site.test\r\n${more}\r\n\r\n`

/** Opens an HTTP/2 connection. */
async function http2(): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://127.0.0.1:${box.settings.httpsPort}`, {
    servername: 'site.test',
    rejectUnauthorized: false,
  })
  session.on('error', () => undefined)
  await once(session, 'connect')
  return session
}
const headOf = (path: string, method = 'GET') => ({ ':authority': 'site.test', ':path': path, ':method': method })

describe.concurrent('slow clients', () => {
  test('a hundred bodies at one byte per five seconds are closed within 16 s', async () => {
    const all = Array.from({ length: 100 }, () => drip(post('/upload', 'Content-Length: 100000'), 'x', 5, 40))
    expect(Math.max(...(await Promise.all(all)))).toBeLessThan(within(16))
  })

  test('slow bodies without a length are closed too, at any pace', async () => {
    const chunked = (every: number, max: number) =>
      drip(post('/upload', 'Transfer-Encoding: chunked'), '1\r\nx\r\n', every, max)
    const [quick, slow, get] = await Promise.all([
      chunked(2, 50),
      chunked(9, 60),
      drip('GET /big HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n', 2, 50),
    ])
    expect(quick).toBeLessThan(within(17))
    expect(slow).toBeLessThan(within(31))
    expect(get).toBeLessThan(within(17))
  })

  test('a body at two kilobytes per second arrives completely', async () => {
    const request = httpRequest({
      ...{ port: box.settings.httpPort, host: '127.0.0.1', method: 'POST', path: '/upload' },
      headers: { host: 'site.test', 'content-length': 60_000 },
    })
    const answered = once(request, 'response') as Promise<[IncomingMessage]>
    for (let n = 0; n < 30; n++) {
      request.write(Buffer.alloc(2000, 'y'))
      await wait(1)
    }
    request.end()
    const [response] = await answered
    expect(response.statusCode).toBe(200)
    expect(`${await response.toArray()}`).toBe('60000')
  })

  test('a WebSocket may be silent', async () => {
    const client = await RawClient.open(box.settings.httpPort)
    client.write('GET /chat HTTP/1.1\r\nHost: site.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    await client.sees('101 Switching')
    await wait(held)
    client.write('still here')
    await client.sees('still here')
    client.destroy()
  })

  test('long polls and event streams wait for the origin, with and without a body, over both protocols', async () => {
    const plain = async (head: string, end: string) => {
      const client = await RawClient.open(box.settings.httpPort)
      client.write(head)
      await client.sees(end, (held + 60) * 1000)
      client.destroy()
    }
    const session = await http2()
    const stream = async (path: string, method: string, body?: string) => {
      const asked = session.request(headOf(path, method), { endStream: !body })
      if (body) asked.end(body)
      return `${await asked.toArray()}`
    }
    const [, , , , polled, posted, events] = await Promise.all([
      plain(`${post('/poll', 'Content-Length: 3')}abc`, 'news'),
      plain(`${post('/poll', 'Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n`, 'news'),
      plain('GET /poll HTTP/1.1\r\nHost: site.test\r\n\r\n', 'news'),
      plain('GET /events HTTP/1.1\r\nHost: site.test\r\n\r\n', 'data: end'),
      stream('/poll', 'GET'),
      stream('/poll', 'POST', 'abc'),
      stream('/events', 'GET'),
    ])
    expect([polled, posted]).toEqual(['news', 'news'])
    expect(events).toContain('data: end')
    session.close()
  })

  test('an upload that the origin does not read is not held against the client, over both protocols', async () => {
    const request = httpRequest({
      ...{ port: box.settings.httpPort, host: '127.0.0.1', method: 'POST', path: '/busy?20' },
      headers: { host: 'site.test', 'content-length': big.length },
    })
    const answered = once(request, 'response') as Promise<[IncomingMessage]>
    request.end(big)
    const session = await http2()
    // nginx itself ends an HTTP/2 stream whose window was closed for client_body_timeout.
    const stream = session.request(headOf('/busy?13', 'POST'))
    stream.on('error', () => undefined)
    stream.end(big)
    const [[response], streamed] = await Promise.all([answered, stream.toArray()])
    expect(`${await response.toArray()}`).toBe(`${big.length}`)
    expect(`${streamed}`).toBe(`${big.length}`)
    session.close()
  })

  test('clients that stop reading are closed within 32 s; slow but steady readers are not', async () => {
    const stopped = Array.from({ length: 20 }, async () => {
      const client = await RawClient.open(box.settings.httpPort)
      client.socket.pause()
      client.write('GET /big HTTP/1.1\r\nHost: site.test\r\n\r\n')
      return client
    })
    const clients = await Promise.all(stopped)
    const steady = await RawClient.open(box.settings.httpPort)
    let isSteady = true
    steady.write('GET /big HTTP/1.1\r\nHost: site.test\r\n\r\n')
    const reading = (async () => {
      while (isSteady) {
        steady.socket.resume()
        await wait(0.01)
        steady.socket.pause()
        await wait(1)
      }
    })()
    await wait(32)
    for (const client of clients) client.socket.resume()
    await until('the end of all who stopped', () => clients.every(({ closed }) => closed))
    expect(clients.every(({ received }) => received.length < big.length)).toBe(true)
    isSteady = false
    await reading
    steady.socket.resume()
    await until('the whole answer', () => steady.received.length > big.length)
    steady.destroy()
  })

  test('slow bodies and windows that are never opened are closed over HTTP/2, too', async () => {
    // nginx may reset a reader's stream (send_timeout) just when the connection would be closed.
    const ended = async (one: { destroyed: boolean }, seconds: number) => {
      const began = Date.now()
      await until('the end of it', () => one.destroyed, seconds * 1000)
      return (Date.now() - began) / 1000
    }
    const uploading = await http2()
    const upload = uploading.request({ ...headOf('/upload', 'POST'), 'content-length': '9999' })
    upload.on('error', () => undefined)
    const timer = setInterval(() => upload.destroyed || upload.write('x'), 3000)
    const unsaid = await http2()
    const open = unsaid.request(headOf('/upload', 'POST'))
    open.on('error', () => undefined)
    const timer2 = setInterval(() => open.destroyed || open.write('x'), 3000)
    const reader = await http2()
    const download = reader.request(headOf('/big'))
    download.on('error', () => undefined)
    download.pause()
    const [body, without, read] = await Promise.all([ended(uploading, 50), ended(unsaid, 50), ended(download, 60)])
    clearInterval(timer)
    clearInterval(timer2)
    expect(body).toBeLessThan(within(16))
    expect(without).toBeLessThan(within(17))
    expect(read).toBeLessThan(within(36))
  })
})

test('closing slow clients logs no errors', () => {
  expect(box.errors()).not.toMatch(/slow clients failed|\[alert\]|\[crit\]/)
})
