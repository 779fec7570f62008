/** Purges: purged objects stay gone, even after a restart or crash. Preheated ones are hits at the first visit. */
import { readdirSync, readlinkSync } from 'node:fs'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { preheatUrl } from '../src/agent/preheat-fetch.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

const origin = await StubOrigin.start((_request, response, asked) => {
  response.setHeader('cache-control', asked.url.startsWith('/private') ? 'private' : 'max-age=3600')
  if (asked.url.startsWith('/missing')) response.statusCode = 404
  if (asked.url.startsWith('/slow')) return
  if (asked.url.startsWith('/tagged')) response.setHeader('cache-tag', 'shoes, hats')
  if (asked.url.startsWith('/keyed')) response.setHeader('surrogate-key', 'hats gloves')
  response.end(asked.url)
})
let box: Box
let id = 100

beforeEach(async () => {
  box = await Box.start({}, (disk) =>
    disk.feed(
      disk.site({
        origins: [{ port: origin.port }],
        cache: [{ id: 1, prefixes: ['/short'], extensions: [], ttl: 600, ignoreQuery: true }],
      }),
      disk.site({ site: 2, hosts: ['other.test'], origins: [{ port: origin.port }] }),
    ),
  )
})
afterEach(() => box.end())
afterAll(() => origin.end())

const look = async (path: string, host = 'site.test') => (await box.request(host, path)).headers['x-cache']

async function store(...paths: string[]): Promise<void> {
  for (const path of paths) {
    expect(await look(path)).toBe('MISS')
    // The other worker waits only briefly for the one that stores it.
    await until('a hit', async () => (await look(path)) === 'HIT')
  }
}

async function purge(type: 'all' | 'url' | 'prefix' | 'tag', ...values: string[]): Promise<void> {
  id += 1
  const record = { id, site: 1, type, values }
  box.disk.purges(record)
  await box.control('POST', '/purge', { purges: [record] })
}

test.each(['SIGTERM', 'SIGKILL'] as const)('purged URLs and tags stay gone after %s', async (signal) => {
  await store('/a', '/b?x=1', '/tagged', '/keyed', '/stays')
  await purge('url', 'site.test/a', 'site.test/b?x=1')
  await purge('tag', 'hats')
  await box.stop(signal)
  await box.boot()
  for (const path of ['/a', '/b?x=1', '/tagged', '/keyed']) expect(await look(path), path).toBe('MISS')
  expect(await look('/stays')).toBe('HIT')
  for (const path of ['/a', '/tagged']) expect(await look(path), path).toBe('HIT')
})

test('a purge takes effect at once, and only on what it covers', async () => {
  await store('/a', '/dir/one', '/dir/two', '/dir2', '/short?x=1', '/tagged')
  expect(await look('/a', 'other.test')).toBe('MISS')
  await purge('url', 'site.test/%61')
  expect(await look('/a')).toBe('MISS')
  expect(await look('/a', 'other.test')).toBe('HIT')
  await purge('prefix', 'site.test/dir/')
  expect(await look('/dir/one')).toBe('MISS')
  expect(await look('/dir/two')).toBe('MISS')
  expect(await look('/dir2')).toBe('HIT')
  await purge('url', 'site.test/short?x=99')
  expect(await look('/short?x=1')).toBe('MISS')
  await purge('tag', 'boots')
  expect(await look('/tagged')).toBe('HIT')
  await purge('all')
  for (const path of ['/a', '/dir2', '/tagged']) expect(await look(path), path).toBe('MISS')
  expect(await look('/a', 'other.test')).toBe('HIT')
})

test('a worker keeps files of requested objects open, and after a purge serves the newly stored object', async () => {
  const isHeld = (pid: number, fd: string) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).includes('/cache/objects/')
    } catch {
      // Closed in the meantime.
      return false
    }
  }
  const held = () =>
    box.workers().flatMap((pid) => readdirSync(`/proc/${pid}/fd`).filter((fd) => isHeld(pid, fd))).length
  await store('/a')
  await until('the file to stay open', async () => (await look('/a')) === 'HIT' && held() > 0)
  await purge('url', 'site.test/a')
  await store('/a')
})

test('purges that were only on disk when nginx died are in force when it is back', async () => {
  await store('/a', '/tagged')
  await box.stop('SIGKILL')
  box.disk.purges(
    { id: 1, site: 1, type: 'url', values: ['site.test/a'] },
    { id: 2, site: 1, type: 'tag', values: ['shoes'] },
  )
  await box.boot()
  expect(await look('/a')).toBe('MISS')
  expect(await look('/tagged')).toBe('MISS')
})

test('a site that was removed and returns finds none of its old objects', async () => {
  await store('/a')
  const gone = box.disk.entry(1, 2, null, [])
  box.disk.feed(gone)
  await box.control('POST', '/apply', { entries: [gone] })
  await expect(box.request('site.test', '/a')).rejects.toThrow()
  expect((await box.state()).sites).toBe(1)
  const back = box.disk.site({ revision: 3, origins: [{ port: origin.port }] })
  await box.control('POST', '/apply', { entries: [back] })
  expect(await look('/a')).toBe('MISS')
})

test('a URL preheated by the agent is a hit at the first visit, and failures are reported', async () => {
  const ports = { http: box.settings.httpPort, https: box.settings.httpsPort }
  const fetched = { ok: true, detail: '' }
  expect(await preheatUrl(ports, 'http://site.test/warm?x=1')).toEqual(fetched)
  expect(await look('/warm?x=1')).toBe('HIT')
  const browser = { headers: { 'accept-encoding': 'gzip, deflate' } }
  expect((await box.request('site.test', '/warm?x=1', browser)).headers['x-cache']).toBe('HIT')
  expect(await look('/warm?x=2')).toBe('MISS')
  expect(await look('/warm?x=1', 'other.test')).toBe('MISS')
  expect(await preheatUrl(ports, 'http://site.test/warm?x=1')).toEqual(fetched)
  expect(await preheatUrl(ports, 'https://site.test/warm-tls')).toEqual(fetched)
  for (const headers of [undefined, { 'accept-encoding': 'gzip, deflate, br, zstd' }])
    expect(
      (await box.request('site.test', '/warm-tls', { tls: true, ...(headers && { headers }) })).headers['x-cache'],
    ).toBe('HIT')
  await purge('url', 'site.test/warm?x=1')
  expect(await preheatUrl(ports, 'http://site.test/warm?x=1')).toEqual(fetched)
  expect(await look('/warm?x=1')).toBe('HIT')
  expect(await preheatUrl(ports, 'http://site.test/missing')).toEqual({ ok: false, detail: 'answered 404' })
  const unstored = await preheatUrl(ports, 'http://site.test/private')
  expect(unstored).toEqual({ ok: false, detail: expect.stringMatching(/^answered 200, and the answer is not stored/) })
  expect(await preheatUrl(ports, 'http://site.test/slow', 300)).toEqual({ ok: false, detail: 'took longer than 0.3 s' })
  // The URL’s own address and port are not contacted: the connection always goes to this node.
  expect((await preheatUrl(ports, `http://127.0.0.1:${origin.port}/warm`)).ok).toBe(false)
  expect(origin.asked.some(({ url }) => url === '/warm')).toBe(false)
})
