/** The operator's node settings on the wire; applying them does not interrupt requests in progress. */
import { createServer, type Server, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { defaultConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../tests/harness/ports.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { RawClient } from './raw.ts'
import { askHttp1, askHttp2 } from './transparent/ask.ts'

let box: Box
let origin: StubOrigin
/** Answers every request by switching to WebSocket, then echoes what it receives. */
let echo: Server
let plain: number
let secure: number
const sockets = new Set<Socket>()
/** Completes the running download. */
let finish: (() => void) | undefined

beforeAll(async () => {
  ;[plain, secure] = [await freePort(), await freePort()]
  origin = await StubOrigin.start((_request, response, asked) => {
    if (asked.url === '/download') {
      response.writeHead(200, { 'content-length': '20', 'cache-control': 'no-store' })
      response.write('first half')
      finish = () => response.end('secondhalf')
      return
    }
    const [, bytes] = /^\/head\/(\d+)/.exec(asked.url) ?? []
    if (bytes !== undefined) response.setHeader('x-policy', 'p'.repeat(Number(bytes)))
    response.end(`host ${asked.headers.host}`)
  })
  echo = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.on('data', (data) => socket.write(`echo ${data.toString('latin1')}`))
    })
  })
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const origins = [{ port: origin.port }]
  box = await Box.start({ workers: 1 }, (disk) =>
    disk.feed(
      disk.site({ origins, settings: { ports: [plain, secure] } }),
      disk.site({ site: 2, hosts: ['shy.test'], origins }),
      disk.site({ site: 3, hosts: ['chat.test'], origins: [{ port: (echo.address() as { port: number }).port }] }),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
  for (const socket of sockets) socket.destroy()
  echo?.close()
})

/** The protocol that a server negotiates with a client that supports both. */
const agreed = (port: number): Promise<string | false | null> =>
  new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', servername: 'site.test', rejectUnauthorized: false }
    const socket = connectTls({ ...options, ALPNProtocols: ['h2', 'http/1.1'] }, () => {
      resolve(socket.alpnProtocol)
      socket.destroy()
    })
    socket.on('error', reject)
  })

const ask = (port: number, host: string, tls = false, path = '/') => askHttp1({ port, host, tls }, { path })
const text = async (answer: ReturnType<typeof ask>) => (await answer).body.toString()

test('an added port is opened without interrupting an open WebSocket and a running download', async () => {
  const chat = await RawClient.open(box.settings.httpPort)
  chat.write('GET / HTTP/1.1\r\nHost: chat.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
  await chat.sees('101 Switching Protocols')
  const download = await RawClient.open(box.settings.httpPort)
  download.write('GET /download HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n')
  await download.sees('first half')
  const before = box.workers()

  await box.reconfigure({
    ports: [
      { port: plain, tls: false },
      { port: secure, tls: true },
    ],
  })
  expect(await text(ask(plain, 'site.test'))).toBe(`host site.test:${plain}`)
  expect(await text(ask(secure, 'site.test', true))).toBe(`host site.test:${secure}`)
  expect((await askHttp2({ port: secure, host: 'site.test' }, { path: '/' })).status).toBe(200)

  chat.write('still here')
  await chat.sees('echo still here')
  finish!()
  expect(await download.end()).toMatch(/first halfsecondhalf$/)
  chat.destroy()
  for (const socket of sockets) socket.destroy()
  // The worker that handled them exits once they have ended.
  await until('the end of the old workers', () => box.workers().every((pid) => !before.includes(pid)))
})

test('a port does not answer for sites that did not choose it or unknown hosts; the node’s own ports do', async () => {
  for (const host of ['shy.test', 'nobody.test']) {
    await expect(ask(plain, host)).rejects.toThrow(/hang up|reset/i)
  }
  await expect(ask(secure, 'shy.test', true)).rejects.toThrow(/hang up|reset/i)
  expect((await ask(box.settings.httpPort, 'shy.test')).status).toBe(200)
})

test('a change of a site’s ports takes effect with the next request', async () => {
  const entry = box.disk.site({
    ...{ site: 2, revision: 2, hosts: ['shy.test'], origins: [{ port: origin.port }] },
    settings: { ports: [plain] },
  })
  await box.control('POST', '/apply', { entries: [entry] })
  expect((await ask(plain, 'shy.test')).status).toBe(200)
  await expect(ask(secure, 'shy.test', true)).rejects.toThrow(/hang up|reset/i)
})

test('HTTP/2 is switched off on every port, and on again', async () => {
  expect([await agreed(box.settings.httpsPort), await agreed(secure)]).toEqual(['h2', 'h2'])
  await box.reconfigure({ http2: false })
  // A worker that is shutting down may accept one more connection.
  for (const port of [box.settings.httpsPort, secure])
    await until('no HTTP/2', async () => (await agreed(port)) === 'http/1.1')
  expect((await ask(secure, 'site.test', true)).status).toBe(200)
  await box.reconfigure({ http2: true })
  await until('HTTP/2 again', async () => (await agreed(box.settings.httpsPort)) === 'h2')
})

test('request and response heads may be as large as configured, and no larger', async () => {
  const { line, request } = defaultConfiguration.heads
  const long = (bytes: number) =>
    askHttp1(
      { port: box.settings.httpPort, host: 'site.test' },
      { path: '/', headers: { 'x-long': 'l'.repeat(bytes) } },
    )
  const many = (lines: number) =>
    askHttp1(
      { port: box.settings.httpPort, host: 'site.test' },
      {
        path: '/',
        headers: Object.fromEntries(Array.from({ length: lines }, (_, i) => [`x-${i}`, 'l'.repeat(7000)])),
      },
    )
  const head = (bytes: number) => ask(box.settings.httpPort, 'site.test', false, `/head/${bytes}`)
  // A worker that is shutting down may accept one more connection.
  const untilStatus = (status: number, asked: () => ReturnType<typeof ask>) =>
    until(`a ${status}`, async () => (await asked()).status === status)
  // The stub origin itself accepts heads of up to 16 KB.
  const toOrigin = 12_000
  expect([(await long(toOrigin)).status, (await head(60_000)).status]).toEqual([200, 200])
  await box.reconfigure({ heads: { line: 8192, request: 32_768, response: 8192 } })
  await untilStatus(400, () => long(toOrigin))
  await untilStatus(200, () => long(7000))
  await untilStatus(400, () => many(8))
  await untilStatus(200, () => head(8000))
  await untilStatus(502, () => head(60_000))
  await box.reconfigure({ heads: { line, request, response: 131_072 } })
  await untilStatus(200, () => head(60_000))
  await untilStatus(200, () => head(120_000))
})

test('ports that are removed are closed', async () => {
  await box.reconfigure({ ports: [] })
  await until('a closed port', () =>
    ask(plain, 'site.test').then(
      () => false,
      () => true,
    ),
  )
  expect((await ask(box.settings.httpPort, 'site.test')).status).toBe(200)
})
