/** Large heads pass in both directions: long policies, many cookies. */
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from '../harness.ts'
import { ask, cacheOf, header, type Version, versions } from './ask.ts'

let box: Box
let origin: Server
const policy = (bytes: number) =>
  `default-src ${'https://cdn.example.test/scripts/ '.repeat(bytes)}`.slice(0, bytes).trim()

/** `/<bytes>/<how>`: a head of that size, on one line (`policy`) or on lines of 1 KB (`cookies`). */
beforeAll(async () => {
  origin = createServer({ maxHeaderSize: 1 << 20 }, (request, response) => {
    const [, size, how] = request.url!.split('/')
    const bytes = Number(size)
    if (how!.startsWith('cookies')) {
      const cookies = Array.from({ length: Math.floor(bytes / 1024) }, (_, i) => `c${i}=${'v'.repeat(1000)}; Path=/`)
      response.setHeader('set-cookie', cookies)
    } else response.setHeader('content-security-policy', policy(bytes))
    response.setHeader('cache-control', how!.endsWith('kept') ? 'max-age=60' : 'no-store')
    response.end(`${JSON.stringify(request.headers).length}`)
  })
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  const { port } = origin.address() as { port: number }
  box = await Box.start({ workers: 1 }, (disk) => disk.feed(disk.site({ origins: [{ port }] })))
})
afterAll(async () => {
  await box?.end()
  origin?.closeAllConnections()
  await new Promise((resolve) => origin?.close(resolve))
})

const sizes = [3_500, 8_000, 16_000, 32_000, 63_000]
const cases = sizes.flatMap((size) => versions.map((version): [number, Version] => [size, version]))

test.each(cases)('a head of %i bytes on one line passes, over HTTP/%s', async (size, version) => {
  for (const [method, how] of [
    ['GET', 'policy'],
    ['GET', 'policy'],
    ['POST', 'policy'],
    ['GET', 'policy-kept'],
    ['GET', 'policy-kept'],
    ['HEAD', 'policy-kept'],
  ] as const) {
    const asking = { method, path: `/${size}/${how}`, ...(method === 'POST' && { body: 'x' }) }
    const answer = await ask(box, version, 'site.test', asking)
    expect([answer.status, header(answer, 'content-security-policy')], `${method} ${how}`).toEqual([200, policy(size)])
  }
})

test.each(cases)('a head of %i bytes of cookies passes, over HTTP/%s', async (size, version) => {
  for (const method of ['GET', 'GET', 'POST']) {
    const asking = { method, path: `/${size}/cookies`, ...(method === 'POST' && { body: 'x' }) }
    const answer = await ask(box, version, 'site.test', asking)
    expect(answer.status, method).toBe(200)
    expect(answer.lines.filter(([name]) => name === 'set-cookie')).toHaveLength(Math.floor(size / 1024))
  }
})

test('a stored page with a large head is a HIT with the same head', async () => {
  await ask(box, '1.1', 'site.test', { path: '/60000/hit-kept' })
  const hit = await ask(box, '1.1', 'site.test', { path: '/60000/hit-kept' })
  expect([cacheOf(hit), header(hit, 'content-security-policy')]).toEqual(['HIT', policy(60_000)])
})

test.each(versions)('a request head of 60 KB on lines of 15 KB reaches the origin, over HTTP/%s', async (version) => {
  const headers = Object.fromEntries([1, 2, 3, 4].map((i) => [`x-long-${i}`, 'h'.repeat(14_500)]))
  for (const method of ['GET', 'POST']) {
    const asking = { method, path: '/10/policy', headers, ...(method === 'POST' && { body: 'x' }) }
    const answer = await ask(box, version, 'site.test', asking)
    expect(answer.status, method).toBe(200)
    expect(Number(answer.body)).toBeGreaterThan(58_000)
  }
})

test.each(versions)('one line of 60 KB in a request head reaches the origin, over HTTP/%s', async (version) => {
  for (const method of ['GET', 'POST']) {
    const asking = { method, path: '/10/policy', headers: { 'x-long': 'h'.repeat(60_000) } }
    const answer = await ask(box, version, 'site.test', { ...asking, ...(method === 'POST' && { body: 'x' }) })
    expect(answer.status, method).toBe(200)
    expect(Number(answer.body)).toBeGreaterThan(60_000)
  }
})

test.each(versions)('a request head that is too large is refused without a timeout, over HTTP/%s', async (version) => {
  const headers = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x-long-${i}`, 'h'.repeat(14_500)]))
  const outcome = await ask(box, version, 'site.test', { path: '/10/policy', headers, patience: 30_000 }).then(
    ({ status }) => status,
    (error: Error) => error.message,
  )
  // HTTP/2 closes the connection or the stream; HTTP/1.1 may respond with a status.
  expect(`${outcome}`).toMatch(
    version === '1.1' ? /^(400|414|431|494)$|reset|EPIPE|hang up/i : /^(400|431)$|reset|stream|session/i,
  )
  expect(`${outcome}`).not.toContain('in time')
  expect((await ask(box, version, 'site.test', { path: '/10/policy' })).status).toBe(200)
})
