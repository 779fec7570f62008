/** Large objects in slices: what is requested from the origin, and no response ever mixes two versions. */

import { createHash } from 'node:crypto'
import type { CacheExplanation } from '@breakwater/contract/edge/cache-simulation.ts'
import type { EdgeCacheRule } from '@breakwater/contract/edge/site-parts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until, type Visit } from './harness.ts'
import { StubOrigin } from './origin.ts'

const slice = 1_048_576
const size = 5 * slice + 12_345

/** Bytes that contain their version and offset. */
function bytesOf(version: string): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at < size; at += 16) bytes.write(`${version}${at}`.padEnd(16, '.'), at, 'latin1')
  return bytes
}
const versions: Record<string, Buffer> = { a: bytesOf('a'), b: bytesOf('b') }

let box: Box
let artefact: string
let origin: StubOrigin
/** The current version at the origin, by path. */
const now = new Map<string, string>()
/** Paths with ranges for which the origin fails. */
const failing = new Set<string>()
/** The ranges requested from the origin for a path; '' for none. */
const asked = (path: string) =>
  origin.asked.filter(({ url }) => url === path).map(({ headers }) => headers.range?.replace('bytes=', '') ?? '')

beforeAll(async () => {
  origin = await StubOrigin.start((request, response, { url }) => {
    const path = url.split('?')[0]!
    const kind = path.split('/')[2]
    const version = now.get(path) ?? 'a'
    const all =
      kind === 'empty' ? Buffer.alloc(0) : kind === 'small' ? versions.a!.subarray(0, 1000) : versions[version]!
    const tag = kind === 'weak' ? `W/"${version}"` : kind === 'restless' ? `"${Math.random()}"` : `"${version}"`
    response.setHeader('content-type', 'application/octet-stream')
    if (kind !== 'untagged') response.setHeader('etag', tag)
    if (kind === 'labelled') response.setHeader('cache-tag', 'films, year-2026')
    if (failing.has(`${path} ${request.headers.range}`)) return response.writeHead(503).end('x'.repeat(2000))
    if (kind === 'missing') return response.writeHead(404).end('not here')
    if (request.headers['if-none-match'] === tag) return response.writeHead(304).end()
    const range = kind === 'deaf' ? null : /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    if (!range) return response.end(all)
    const from = Number(range[1])
    const to = Math.min(Number(range[2]), all.length - 1)
    if (from >= all.length) return response.writeHead(416, { 'content-range': `bytes */${all.length}` }).end()
    response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${all.length}` }).end(all.subarray(from, to + 1))
  })
  const cache: EdgeCacheRule[] = [
    { id: 1, prefixes: ['/big/'], extensions: [], ttl: 600, ignoreQuery: false, slice: true },
    { id: 2, prefixes: ['/short/'], extensions: [], ttl: 1, ignoreQuery: false, slice: true },
  ]
  box = await Box.start({ workers: 1 }, (disk) => {
    const settings = { cacheStatus: { networks: [] } }
    const bandwidth = [{ id: 1, urlRegex: '^/big/paced/', rate: 900_000, afterSize: 0 }]
    const entry = disk.site({ origins: [{ port: origin.port }], cache, settings, bandwidth })
    artefact = entry.artefact!
    const tokens = {
      rules: [{ id: 1, urlRegex: '^/', kind: 'D' as const, ttl: 600, parameter: 'sign' }],
      keys: { 1: ['slice-key'] },
    }
    const requires = ['tokenAuths']
    const origins = [{ port: origin.port }]
    disk.feed(entry, disk.site({ site: 2, hosts: ['signed.test'], origins, cache, tokens, requires }))
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const get = (path: string, range = '', visit: Visit = {}) =>
  box.request('site.test', path, { ...visit, headers: { ...(range && { range: `bytes=${range}` }), ...visit.headers } })

test('only the needed slices of a large object are fetched, each once', async () => {
  const { a } = versions
  const first = await get('/big/file/1', '3000000-3000099')
  expect([first.status, first.headers['content-range'], first.headers['x-cache']]).toEqual([
    206,
    `bytes 3000000-3000099/${size}`,
    'MISS',
  ])
  expect(first.body.equals(a!.subarray(3_000_000, 3_000_100))).toBe(true)
  expect(asked('/big/file/1')).toEqual(['2097152-3145727'])
  const again = await get('/big/file/1', '3000050-3000150')
  expect([again.body.equals(a!.subarray(3_000_050, 3_000_151)), again.headers['x-cache']]).toEqual([true, 'HIT'])
  expect(asked('/big/file/1')).toHaveLength(1)

  const whole = await get('/big/file/1')
  expect([whole.status, whole.body.equals(a!), whole.headers['content-length']]).toEqual([200, true, `${size}`])
  expect(whole.headers['content-range']).toBeUndefined()
  expect((await get('/big/file/1')).headers['x-cache']).toBe('HIT')
})

test('every range contains the right bytes of the object', async () => {
  const { a } = versions
  const last = size - 1
  const ranges: [range: string, from: number, to: number][] = [
    ['0-0', 0, 0],
    ['0-', 0, last],
    [`${slice - 1}-${slice}`, slice - 1, slice],
    [`${slice}-${2 * slice - 1}`, slice, 2 * slice - 1],
    [`${slice}-${2 * slice}`, slice, 2 * slice],
    ['-1', last, last],
    ['-1100000', size - 1_100_000, last],
    [`${5 * slice}-`, 5 * slice, last],
    [`${last}-${last + 1000}`, last, last],
    ['1234567-4567890', 1_234_567, 4_567_890],
  ]
  for (const [range, from, to] of ranges) {
    const reply = await get('/big/file/ranges', range)
    expect([reply.status, reply.headers['content-range']], range).toEqual([206, `bytes ${from}-${to}/${size}`])
    expect(reply.body.equals(a!.subarray(from, to + 1)), range).toBe(true)
  }
  // Six as the first slice of a response, and five as later ones.
  const fetched = asked('/big/file/ranges')
  expect(fetched.length).toBeLessThanOrEqual(11)
  expect(fetched).not.toContain('')

  for (const range of [`${size}-`, `${size + 10 * slice}-`]) {
    const beyond = await get('/big/file/ranges', range)
    expect([beyond.status, beyond.headers['content-range']], range).toEqual([416, `bytes */${size}`])
  }
  expect((await get('/big/file/ranges', '0-9')).headers['x-cache']).toBe('HIT')
  // Multiple ranges are answered with the whole object, as servers may do.
  const several = await get('/big/file/ranges', '0-9,2000000-2000009')
  expect([several.status, several.body.equals(a!)]).toEqual([200, true])
})

test('conditions and HEAD are answered from the cache', async () => {
  const path = '/big/file/conditions'
  const { a } = versions
  const head = await get(path, '', { method: 'HEAD' })
  expect([head.status, head.headers['content-length'], head.headers['x-cache']]).toEqual([200, `${size}`, 'MISS'])
  expect((await get(path, '', { method: 'HEAD' })).headers['x-cache']).toBe('HIT')
  expect(asked(path)).toEqual([`0-${slice - 1}`])

  expect((await get(path, '', { headers: { 'if-none-match': '"a"' } })).status).toBe(304)
  expect((await get('/big/file/new', '', { headers: { 'if-none-match': '"a"' } })).status).toBe(304)
  const same = await get(path, '1500000-1500009', { headers: { 'if-range': '"a"' } })
  expect([same.status, same.body.equals(a!.subarray(1_500_000, 1_500_010))]).toEqual([206, true])
  const other = await get(path, '1500000-1500009', { headers: { 'if-range': '"other"' } })
  expect([other.status, other.body.equals(a!)]).toEqual([200, true])
})

test('clients that accept encodings get the bytes unchanged, and the origin gets the URL as spelled', async () => {
  const reply = await get('/big/file/%7Etilde%2F', '', { headers: { 'accept-encoding': 'gzip, br' } })
  expect([reply.headers['content-encoding'], reply.body.equals(versions.a!)]).toEqual([undefined, true])
  expect(asked('/big/file/%7Etilde%2F')).toHaveLength(6)
})

test('a changed object is fetched again, and no response mixes two versions', async () => {
  for (const [path, warm] of [
    ['/big/file/changed-1', ['0-']],
    ['/big/file/changed-2', ['0-9']],
    ['/big/file/changed-3', ['3000000-3000009']],
    ['/big/file/changed-4', ['0-9', '2000000-2000009', '4000000-4000009']],
  ] as const) {
    for (const range of warm) await get(path, range)
    now.set(path, 'b')
    // If an old slice is followed by a new one, the response is aborted.
    const replies: Buffer[] = []
    for (const range of ['2500000-2500009', '', '', '0-99', '']) {
      const reply = await get(path, range).catch(() => undefined)
      if (!reply) continue
      const [, from, to] = /^bytes (\d+)-(\d+)/.exec(reply.headers['content-range'] ?? `bytes 0-${size - 1}`)!
      const [, version] = /^"(.)"$/.exec(reply.headers.etag!)!
      const expected = versions[version!]!.subarray(Number(from), Number(to) + 1)
      expect(reply.body.equals(expected), `${path} ${range}`).toBe(true)
      replies.push(reply.body)
    }
    expect(replies.length, path).toBeGreaterThanOrEqual(4)
    expect(replies.at(-1)!.equals(versions.b!), path).toBe(true)
  }
})

test('no response mixes two versions after a restart, which forgets versions', async () => {
  const path = '/big/file/restart'
  // The slice is stored once it is complete, possibly after its visitor has received the range.
  await until('the first slice to be stored', async () => (await get(path, '0-9')).headers['x-cache'] === 'HIT')
  now.set(path, 'b')
  await box.stop()
  await box.boot()
  await get(path, '3000000-3000009')
  await expect(get(path)).rejects.toThrow()
  expect((await get(path)).body.equals(versions.b!)).toBe(true)
})

test('if a slice cannot be fetched, the response is aborted, and the next one is complete', async () => {
  const path = '/big/file/failing'
  const failed = `${path} bytes=${2 * slice}-${3 * slice - 1}`
  failing.add(failed)
  await expect(get(path)).rejects.toThrow()
  failing.delete(failed)
  expect((await get(path)).body.equals(versions.a!)).toBe(true)
  // Slices stored before are not requested again.
  expect(asked(path).filter((range) => range.startsWith('0-'))).toHaveLength(1)
  failing.add(`/big/file/failing-first bytes=0-${slice - 1}`)
  const first = await get('/big/file/failing-first')
  expect([first.status, first.text.length]).toEqual([503, 2000])
})

test('an object that cannot be sliced is stored as a whole', async () => {
  for (const kind of ['deaf', 'weak', 'untagged', 'empty', 'restless']) {
    const path = `/big/${kind}/file`
    const expected = kind === 'empty' ? Buffer.alloc(0) : versions.a!
    let last: Awaited<ReturnType<typeof get>> | undefined
    // A `restless` object is tried several times first.
    for (let round = 0; round < 6; round++) last = (await get(path).catch(() => undefined)) ?? last
    expect([last!.status, last!.body.equals(expected)], kind).toEqual([200, true])
    expect(last!.headers['x-cache'], kind).toBe('HIT')
    if (kind === 'empty') continue
    const part = await get(path, '2000000-2000009')
    expect([part.status, part.body.equals(expected.subarray(2_000_000, 2_000_010))], kind).toEqual([206, true])
    expect(part.headers['x-cache'], kind).toBe('HIT')
  }
  const small = await get('/big/small/file', '10-19')
  expect([small.status, small.headers['content-range']]).toEqual([206, 'bytes 10-19/1000'])
  const missing = await get('/big/missing/file', '10-19')
  expect([missing.status, missing.text]).toEqual([404, 'not here'])
})

test('a purge removes all slices of a URL', async () => {
  const path = '/big/file/purged'
  await get(path)
  await get('/big/file/kept')
  const purge = { id: 9, site: 1, type: 'url' as const, values: [`site.test${path}`] }
  await box.control('POST', '/purge', { purges: [purge] })
  const before = asked(path).length
  expect((await get(path)).headers['x-cache']).toBe('MISS')
  expect(asked(path).length - before).toBe(6)
  expect((await get('/big/file/kept')).headers['x-cache']).toBe('HIT')
  expect(asked('/big/file/kept')).toHaveLength(6)
})

test.each([
  ['prefix', 'prefix', 'site.test/big/labelled/season', '/big/labelled/season/1'],
  ['tag', 'tag', 'films', '/big/labelled/film'],
] as const)(
  'a purge by %s removes all slices, and no response mixes bytes from before and after it',
  async (name, type, value, path) => {
    const kept = `/big/file/kept-by-${name}`
    await Promise.all([get(path), get(kept)])
    await until('all slices to be stored', async () => {
      const whole = await get(path)
      return whole.headers['x-cache'] === 'HIT' && asked(path).length === 6
    })
    now.set(path, 'b')
    await box.control('POST', '/purge', { purges: [{ id: 20, site: 1, type, values: [value] }] })
    // A later slice first: it must not be an old one.
    const part = await get(path, '3000000-3000099')
    expect([part.headers['x-cache'], part.body.equals(versions.b!.subarray(3_000_000, 3_000_100))]).toEqual([
      'MISS',
      true,
    ])
    expect((await get(path)).body.equals(versions.b!)).toBe(true)
    // Six of each version, and again the one that revealed the change.
    expect(asked(path)).toHaveLength(13)
    expect((await get(kept)).headers['x-cache']).toBe('HIT')
    expect(asked(kept)).toHaveLength(6)
  },
)

test('a bandwidth limit applies to sliced objects, on a miss and a hit, and every byte arrives', async () => {
  const [from, to] = [slice - 500_000, 3 * slice]
  for (const outcome of ['MISS', 'HIT']) {
    const begun = performance.now()
    const reply = await get('/big/paced/file', `${from}-${to}`)
    expect(reply.headers['x-cache']).toBe(outcome)
    expect(reply.body.equals(versions.a!.subarray(from, to + 1))).toBe(true)
    // 2.6 MB at 0.9 MB/s; nginx counts whole seconds, the first of which may end at once.
    expect(performance.now() - begun).toBeGreaterThan(900)
  }
  expect(asked('/big/paced/file')).toHaveLength(4)
})

test('the prediction for a URL and the Cache-Status of a response mention slices', async () => {
  const request = {
    ...{ site: 1, host: 'site.test', scheme: 'http', address: '192.0.2.1', method: 'GET', query: '', country: '' },
    ...{ path: '/big/file/told', headers: {}, time: Date.now() / 1000 },
  }
  const told = (headers: Record<string, string>) =>
    box.control<CacheExplanation>('POST', '/cache', { artefact, request, answer: { status: 200, headers } })
  expect(await told({ etag: '"a"' })).toMatchObject({ isSliced: true, isStored: true })
  for (const headers of [{}, { etag: 'W/"a"' }, { etag: '"a"', 'content-encoding': 'gzip' }])
    expect(await told(headers as Record<string, string>)).toMatchObject({ isSliced: false, isStored: true })
  const { headers } = await get('/big/file/told', '0-9')
  expect(headers['cache-status']).toContain('fwd=miss; fwd-status=200; stored; ')
  expect(headers['cache-status']).toContain('detail="rule=1 why=rule slices"')
})

test('expired slices are revalidated one by one, until the object changes', async () => {
  const path = '/short/file/a'
  await get(path)
  await until('a confirmed answer', async () => {
    const { headers, body } = await get(path)
    expect(body.equals(versions.a!)).toBe(true)
    return headers['x-cache'] === 'REVALIDATED'
  })
  now.set(path, 'b')
  await until('the new version', async () => {
    const reply = await get(path).catch(() => undefined)
    if (reply) expect(reply.body.equals(versions[reply.headers.etag!.slice(1, 2)]!)).toBe(true)
    return reply?.headers.etag === '"b"'
  })
})

test('slices or whole objects of a signed URL are requested from the origin without the signature', async () => {
  for (const path of ['/big/file/signed', '/big/deaf/signed']) {
    const time = Math.floor(Date.now() / 1000)
    const sign = createHash('md5').update(`slice-key${path}${time}`).digest('hex')
    const reply = await box.request('signed.test', `${path}?sign=${sign}&t=${time}`)
    expect([reply.status, reply.body.equals(versions.a!)], path).toEqual([200, true])
    expect(asked(path).length, path).toBe(path.includes('deaf') ? 2 : 6)
    expect((await box.request('signed.test', path)).status).toBe(403)
  }
})
