/** Bandwidth limits on the wire: a body is limited whether it is a hit, a miss or never stored. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { ask, cacheOf, versions } from './transparent/ask.ts'

let box: Box
let origin: StubOrigin
let artefact: string
const bytes = 60_000
/** Large enough to keep the worker busy compressing it. */
const sheet = 'a { color: red }\n'.repeat(50_000)
/** nginx counts whole seconds: the first of three may end at once. */
const slow = 900

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    if (request.url === '/large.css') {
      response.setHeader('cache-control', 'public, max-age=0').setHeader('etag', 'W/"1"')
      response.setHeader('content-type', 'text/css').setHeader('content-length', sheet.length)
      response.end(request.method === 'HEAD' ? undefined : sheet)
      return
    }
    response.setHeader('cache-control', request.url?.includes('live') ? 'no-store' : 'max-age=60')
    response.setHeader('content-type', 'application/octet-stream').end('x'.repeat(bytes))
  })
  box = await Box.start({ workers: 1 }, (disk) => {
    const entry = disk.site({
      origins: [{ port: origin.port }],
      bandwidth: [
        { id: 1, urlRegex: '^/slow', rate: 20_000, afterSize: 0 },
        { id: 2, urlRegex: '^/later', rate: 1000, afterSize: 56_000 },
        { id: 3, urlRegex: '^/(later|slow|never)', rate: 1, afterSize: 100_000 },
      ],
    })
    artefact = entry.artefact ?? ''
    disk.feed(entry)
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test('a body is limited on a miss, a hit or if never stored, over HTTP/1.1 and HTTP/2', async () => {
  const ways = versions.flatMap((version) => [
    { version, path: `/slow/${version}`, outcomes: ['MISS', 'HIT'] },
    // An uncacheable response passes through the cache once, until that is known.
    { version, path: `/slow/live${version}`, outcomes: ['MISS', 'DIRECT'] },
  ])
  await Promise.all(
    ways.map(async ({ version, path, outcomes }) => {
      for (const outcome of outcomes) {
        const answer = await ask(box, version, 'site.test', { path })
        expect([path, cacheOf(answer), answer.body.length]).toEqual([path, outcome, bytes])
        expect(answer.ms).toBeGreaterThan(slow)
      }
    }),
  )
})

test('bytes before the start of a limit are sent at once, and the first matching limit applies', async () => {
  const answer = await ask(box, '1.1', 'site.test', { path: '/later' })
  expect(answer.body.length).toBe(bytes)
  expect(answer.ms).toBeGreaterThan(slow)
  // Limited from the first byte, it would take a minute.
  expect(answer.ms).toBeLessThan(30_000)
  expect((await ask(box, '1.1', 'site.test', { path: '/never' })).body.length).toBe(bytes)
})

test('time spent compressing does not count as rule time: every response is fully decided', async () => {
  const headers = { 'accept-encoding': 'gzip, br' }
  for (let round = 0; round < 8; round++) {
    const asked = ['GET', 'HEAD', 'GET', 'HEAD'].map((method) =>
      box.request('site.test', '/large.css', { method, headers }),
    )
    for (const answer of await Promise.all(asked))
      expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual(['br', 'Accept-Encoding'])
  }
})

test('Explain names the limit', async () => {
  const request = {
    ...{ site: 1, host: 'site.test', address: '198.51.100.7', method: 'GET', path: '/later/x', query: '' },
    ...{ headers: {}, time: Date.now() / 1000, country: 'TW' },
  }
  const told = await box.control<{ bandwidthLimit: number }>('POST', '/explain', { artefact, request })
  expect(told.bandwidthLimit).toBe(2)
})
