/** The basic settings of a site on the wire: body size and WebSockets. For its timeouts see origin-timeouts.test.ts. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { exchange } from './raw.ts'
import { ask, versions } from './transparent/ask.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response, asked) => {
    response.end(`${asked.body.length} ${asked.headers.upgrade ?? 'no upgrade'}`)
  })
  box = await Box.start({ workers: 1 }, (disk) => {
    disk.feed(
      disk.site({ origins: [{ port: origin.port }], settings: { bodyBytesMax: 100, websocket: false } }),
      disk.site({ site: 2, hosts: ['free.test'], origins: [{ port: origin.port }] }),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test.each(versions)(
  'a body up to the limit reaches the origin, and a larger one is refused with 413, over HTTP/%s',
  async (version) => {
    const send = (bytes: number, host = 'site.test') =>
      ask(box, version, host, { path: '/', method: 'POST', body: 'x'.repeat(bytes) })
    expect((await send(100)).body.toString()).toContain('100')
    expect((await send(101)).status).toBe(413)
    expect((await send(101, 'free.test')).status).toBe(200)
  },
)

const chunked = (host: string) =>
  `POST / HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n`

test('a body without a length is refused with 411 if there is a limit, and passes otherwise', async () => {
  expect(await exchange(box.settings.httpPort, chunked('site.test'))).toMatch(/^HTTP\/1\.1 411 /)
  expect(await exchange(box.settings.httpPort, chunked('free.test'))).toMatch(/^HTTP\/1\.1 200 /)
})

test('a WebSocket opening is treated as an ordinary request if the site has them disabled', async () => {
  const opening = (host: string) =>
    `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n`
  expect(await exchange(box.settings.httpPort, opening('site.test'))).toContain('no upgrade')
})
