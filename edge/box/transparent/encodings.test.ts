/** Encodings: a visitor gets the best one that it accepts and the origin has, and never one that it cannot decode. */
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from '../harness.ts'
import { StubOrigin } from '../origin.ts'
import { type Answer, ask, cacheOf, header, type Version, versions } from './ask.ts'

const browser = 'gzip, deflate, br, zstd'
const text = 'A line of text that compresses well.\n'.repeat(4000)
const made = { gzip: gzipSync(text), br: brotliCompressSync(text) }

let box: Box
let origin: StubOrigin

/** Answers `/<encodings>/…` as an origin with these encodings besides the plain text: `/gzip+br/a`, `/none/a`. */
beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    const [, kind, rest = ''] = request.url!.split('/')
    const accepted = `${request.headers['accept-encoding'] ?? ''}`
    const has = kind!.split('+')
    const encoding = (['br', 'gzip'] as const).find((name) => has.includes(name) && accepted.includes(name))
    const type = rest.endsWith('.png') ? 'image/png' : 'text/html; charset=utf-8'
    response.setHeader('content-type', type).setHeader('etag', encoding ? `"v1-${encoding}"` : '"v1"')
    response.setHeader('cache-control', rest.startsWith('direct') ? 'no-store' : 'max-age=60')
    if (rest.includes('as-it-is')) response.setHeader('cache-control', 'max-age=60, no-transform')
    if (kind !== 'none') response.setHeader('vary', 'Accept-Encoding')
    const body = encoding ? made[encoding] : Buffer.from(text)
    if (encoding) response.setHeader('content-encoding', encoding)
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    if (range === null) return response.setHeader('content-length', body.length).end(body)
    const [from, to] = [Number(range[1]), Number(range[2])]
    response.statusCode = 206
    response.setHeader('content-range', `bytes ${from}-${to}/${body.length}`).end(body.subarray(from, to + 1))
  })
  box = await Box.start({ workers: 1 }, (disk) => disk.feed(disk.site({ origins: [{ port: origin.port }] })))
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const get = (version: Version, path: string, accepted?: string, more: Record<string, string> = {}) =>
  ask(box, version, 'site.test', { path, headers: { ...(accepted && { 'accept-encoding': accepted }), ...more } })

function decoded(answer: Answer): string {
  const encoding = header(answer, 'content-encoding')
  if (encoding === 'gzip') return gunzipSync(answer.body).toString()
  if (encoding === 'br') return brotliDecompressSync(answer.body).toString()
  return answer.body.toString()
}

test.each(versions)('a browser gets gzip from an origin with only gzip, over HTTP/%s', async (version) => {
  const first = await get(version, `/gzip/only-${version}`, browser)
  expect([header(first, 'content-encoding'), cacheOf(first)]).toEqual(['gzip', 'MISS'])
  expect(first.body.equals(made.gzip)).toBe(true)
  const second = await get(version, `/gzip/only-${version}`, browser)
  expect([header(second, 'content-encoding'), cacheOf(second)]).toEqual(['gzip', 'HIT'])
  expect(second.body.equals(made.gzip)).toBe(true)
  expect(header(second, 'etag')).toBe('"v1-gzip"')
})

test('a browser gets brotli if the origin has it', async () => {
  for (const cache of ['MISS', 'HIT']) {
    const answer = await get('2', '/gzip+br/both', browser)
    expect([header(answer, 'content-encoding'), cacheOf(answer)]).toEqual(['br', cache])
    expect(answer.body.equals(made.br)).toBe(true)
  }
})

test('the request to the origin accepts all encodings of the visitor', async () => {
  await get('1.1', '/gzip/asked', browser)
  const asked = `${origin.asked.at(-1)!.headers['accept-encoding']}`
  for (const name of ['gzip', 'br']) expect(asked).toContain(name)
})

test.each([
  ['gzip', ['gzip', undefined]],
  ['gzip;q=0, br', ['br', undefined]],
  ['br;q=0, gzip', ['gzip', undefined]],
  ['gzip;q=0', [undefined]],
  ['identity', [undefined]],
  [undefined, [undefined]],
])('a client that accepts %s never gets another encoding, whatever is stored', async (accepted, allowed) => {
  for (const kind of ['gzip', 'br', 'gzip+br', 'none']) {
    const path = `/${kind}/mixed-${accepted}`.replaceAll(/[ ;,]/g, '_')
    await get('1.1', path, browser)
    await get('1.1', path, 'gzip')
    const answer = await get('1.1', path, accepted)
    expect(allowed, `${kind}: ${header(answer, 'content-encoding')}`).toContain(header(answer, 'content-encoding'))
    expect(decoded(answer)).toBe(text)
  }
})

test('after a visitor without encodings the next browser still gets gzip', async () => {
  expect(header(await get('1.1', '/gzip/plain-first'), 'content-encoding')).toBe(undefined)
  const answer = await get('1.1', '/gzip/plain-first', browser)
  expect(header(answer, 'content-encoding')).toBe('gzip')
  expect(decoded(answer)).toBe(text)
})

test.each(versions)('the edge compresses text if the origin does not, over HTTP/%s', async (version) => {
  for (const path of [`/none/text-${version}`, `/none/text-${version}`, `/none/direct-${version}`]) {
    const answer = await get(version, path, browser)
    expect(['gzip', 'br']).toContain(header(answer, 'content-encoding'))
    expect(header(answer, 'vary')?.toLowerCase()).toContain('accept-encoding')
    expect(answer.body.length).toBeLessThan(text.length / 5)
    expect(decoded(answer)).toBe(text)
    // The bytes differ from the origin's: a strong tag would allow ranges to mix both.
    expect(header(answer, 'etag') ?? 'W/').toMatch(/^W\//)
  }
})

test.each(['/none/picture.png', '/none/as-it-is'])('%s is not compressed by the edge', async (path) => {
  for (let i = 0; i < 2; i++) {
    const answer = await get('1.1', path, browser)
    expect(header(answer, 'content-encoding')).toBe(undefined)
    expect(header(answer, 'etag')).toBe('"v1"')
    expect(header(answer, 'content-length')).toBe(`${text.length}`)
    expect(answer.body.toString()).toBe(text)
  }
})

test('a range refers to the origin’s bytes, even if the edge compresses whole responses', async () => {
  await get('1.1', '/none/range', browser)
  for (const accepted of [browser, undefined]) {
    const answer = await get('1.1', '/none/range', accepted, { range: 'bytes=10-29' })
    expect(answer.status).toBe(206)
    expect(header(answer, 'content-encoding')).toBe(undefined)
    expect(header(answer, 'content-range')).toBe(`bytes 10-29/${text.length}`)
    expect(answer.body.toString()).toBe(text.slice(10, 30))
  }
})

test('ranges of uncompressed content are served from the stored whole object, for every visitor', async () => {
  const path = '/none/stored.png'
  const asked = () => origin.asked.filter(({ url }) => url === path).length
  expect(header(await get('1.1', path, browser), 'x-cache')).toBe('MISS')
  for (const accepted of [browser, 'gzip', undefined]) {
    const part = await get('1.1', path, accepted, { range: 'bytes=10-29' })
    expect([part.status, header(part, 'x-cache'), part.body.toString()]).toEqual([206, 'HIT', text.slice(10, 30)])
    expect(header(await get('1.1', path, accepted), 'x-cache')).toBe('HIT')
  }
  expect(asked()).toBe(1)
})

test('the ETag of a response compressed by the edge gets a 304', async () => {
  const first = await get('1.1', '/none/again', browser)
  const tag = header(first, 'etag')
  expect(tag).toBeDefined()
  const answer = await get('1.1', '/none/again', browser, { 'if-none-match': tag! })
  expect([answer.status, answer.body.length]).toEqual([304, 0])
})

test('Accept-Encoding of an uncacheable request reaches the origin unchanged', async () => {
  await ask(box, '1.1', 'site.test', {
    method: 'POST',
    path: '/gzip/post',
    body: 'x',
    headers: { 'accept-encoding': browser },
  })
  expect(origin.asked.at(-1)!.headers['accept-encoding']).toBe(browser)
})
