/** Purges: gone means gone, also after a restart and after a crash. */
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

const origin = await StubOrigin.start((_request, response, asked) => {
  response.setHeader('cache-control', 'max-age=3600')
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
    expect(await look(path)).toBe('HIT')
  }
}

async function purge(type: 'all' | 'url' | 'prefix' | 'tag', ...values: string[]): Promise<void> {
  id += 1
  const record = { id, site: 1, type, values }
  box.disk.purges(record)
  await box.control('POST', '/purge', { purges: [record] })
}

test.each(['SIGTERM', 'SIGKILL'] as const)('a URL and a tag that were purged stay gone after %s', async (signal) => {
  await store('/a', '/b?x=1', '/tagged', '/keyed', '/stays')
  await purge('url', 'site.test/a', 'site.test/b?x=1')
  await purge('tag', 'hats')
  await box.stop(signal)
  await box.boot()
  for (const path of ['/a', '/b?x=1', '/tagged', '/keyed']) expect(await look(path), path).toBe('MISS')
  expect(await look('/stays')).toBe('HIT')
  for (const path of ['/a', '/tagged']) expect(await look(path), path).toBe('HIT')
})

test('a purge works at once, on what it names and nothing else', async () => {
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

test('purges that were only on disk when nginx died are in force when it listens again', async () => {
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

test('a site that left and came back finds nothing of what was stored before', async () => {
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
