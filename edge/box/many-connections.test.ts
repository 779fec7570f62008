/** Many connections: the number per address is limited, and the cost of slow readers is bounded. */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

const sockets = new Set<Socket>()
let box: Box
let origin: StubOrigin
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await box?.end()
  await origin?.end()
})

/** Opens connections from an address and sends the same bytes on each. */
async function open(count: number, localAddress: string, bytes: string, isReading = true): Promise<Socket[]> {
  const opened: Socket[] = []
  for (let n = 0; n < count; n += 1) {
    const socket = connect({ port: box.settings.httpPort, host: '127.0.0.1', localAddress })
    sockets.add(socket)
    socket.on('error', () => undefined)
    if (isReading) socket.resume()
    opened.push(socket)
    if (n % 50 === 49) await until('connections', () => opened.every(({ connecting }) => !connecting))
  }
  await until('connections', () => opened.every(({ connecting }) => !connecting))
  for (const socket of opened) socket.write(bytes)
  return opened
}

const openOf = (all: Socket[]) => all.filter(({ destroyed }) => !destroyed).length

test('an address may have 1,024 connections, including incomplete heads; others lose none and are served', async () => {
  origin = await StubOrigin.start()
  // Enough time to open them all on a busy machine before the first ones time out.
  const patient = (conf: string) => conf.replace('client_header_timeout 10s', 'client_header_timeout 20s')
  const prepare = (disk: Box['disk']) => disk.feed(disk.site({ origins: [{ port: origin.port }] }))
  box = await Box.start({ workers: 1 }, prepare, patient)
  const greedy = await open(1300, '127.0.0.66', 'GET / HTTP/1.1\r\nHost: site.test\r\nX-')
  const modest = await open(300, '127.0.0.67', 'GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
  await until('the bound', () => openOf(greedy) <= 1024)
  expect(openOf(greedy)).toBe(1024)
  expect(openOf(modest)).toBe(300)
  expect((await box.request('site.test', '/')).status).toBe(200)
  await until('heads that take too long', () => openOf(greedy) === 0)
})

test('the operator’s own proxies are not limited', async () => {
  origin = await StubOrigin.start()
  box = await Box.start({ workers: 1, trustedProxies: ['127.0.0.68'] }, (disk) =>
    disk.feed(disk.site({ origins: [{ port: origin.port }] })),
  )
  const proxy = await open(1100, '127.0.0.68', 'GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
  const greedy = await open(1100, '127.0.0.69', 'GET / HTTP/1.1\r\nHost: site.test\r\n\r\n')
  await until('the bound', () => openOf(greedy) <= 1024)
  expect(openOf(proxy)).toBe(1100)
})

test('a thousand slow readers use less than 64 MB of a worker, with 128 KB for only the first of them', async () => {
  const big = Buffer.alloc(8_000_000, 'x')
  origin = await StubOrigin.start((_request, response) => response.setHeader('cache-control', 'max-age=3600').end(big))
  box = await Box.start({ workers: 1 }, (disk) => disk.feed(disk.site({ origins: [{ port: origin.port }] })))
  for (let n = 0; n < 2; n++) await box.request('site.test', '/big')
  const memory = () =>
    Math.max(
      ...box.workers().map((pid) => {
        return Number(/^Pss_Anon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]) / 1000
      }),
    )
  const before = memory()
  const all = await open(1000, '127.0.0.70', 'GET /big HTTP/1.1\r\nHost: site.test\r\n\r\n', false)
  const answered = () => all.filter(({ bytesRead, readableLength }) => bytesRead > 0 || readableLength > 0).length
  for (const socket of all) socket.once('readable', () => undefined)
  await until('answers to all', () => answered() === 1000)
  expect(memory() - before).toBeLessThan(64)
  expect((await box.request('site.test', '/big')).body).toHaveLength(big.length)
})
