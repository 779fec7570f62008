/** An S3 server with keys that make awkward paths: every request is signed, so a changed path is a 403. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import aws4 from 'aws4'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asking, header } from '../../edge/box/transparent/ask.ts'
import { type Application, inLong, Place, versionsAsked } from './box.ts'
import { differencesOfRuns, type Own } from './compare.ts'
import { probe } from './probes.ts'
import type { Recorder } from './recorder.ts'
import { atOnce } from './settings.ts'

const require = createRequire(import.meta.url)

/**
 * As stored in the bucket, before escaping. None has a backslash, a line break or a NUL byte: the edge refuses those.
 */
const keys = [
  'plain.txt',
  'a//b',
  'a/b',
  'slash%2Fescaped',
  'semi;colon=1,2',
  'two words+plus',
  '你好/é.txt',
  '../up',
  ...inLong(
    'a/',
    '/leading',
    '//two-leading',
    'trailing//',
    'a///b',
    './here',
    'a/../b',
    'a/./b',
    '..',
    '%',
    '%25',
    '%00',
    'question?mark&and#hash',
    'quotes\'"<>`^{}|[]',
    "marks!$&'()*+,;=:@-._~",
    '\u{1F600}',
    'a'.repeat(60),
  ),
]

/** Escapes all but `/` and unreserved characters, as S3 clients write a key. */
const escaped = (key: string) =>
  key
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/')

let place: Place
const servers: Application[] = []

async function startServer(): Promise<Application> {
  const folder = mkdtempSync(join(tmpdir(), 'bw-s3-'))
  const Store = require('@20minutes/s3rver/lib/stores/filesystem.js') as Record<
    'encodeKeyPath' | 'decodeKeyPath',
    (key: string) => string
  >
  // One file per key, whatever slashes and dots it has: by default this server treats `a//b` as `a/b`.
  Store.encodeKeyPath = (key) => Buffer.from(key).toString('hex')
  Store.decodeKeyPath = (path) => Buffer.from(path, 'hex').toString()
  const S3rver = require('@20minutes/s3rver') as new (
    options: object,
  ) => {
    run: () => Promise<{ port: number }>
    close: () => Promise<void>
  }
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    vhostBuckets: false,
    directory: folder,
    configureBuckets: [{ name: 'bucket' }],
  })
  const { port } = await server.run()
  const application = {
    port,
    end: async () => {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  servers.push(application)
  return application
}

beforeAll(async () => {
  place = await Place.start()
})
afterAll(async () => {
  await place?.end()
  for (const server of servers) await server.end()
})

/** Each server has its own clock and numbers its answers. */
const own: Own = {
  headers: ['x-amz-request-id', 'x-amz-id-2', 'last-modified'],
  text: (text) =>
    text
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
      .replace(/<(RequestId|HostId|UploadId)>[^<]*/g, '<$1>…')
      .replace(/uploadId=[\w-]+/g, 'uploadId=…'),
}

/** Signs a request as S3 clients do: over the path byte for byte. */
function signed(way: Recorder, asking: Asking): Asking {
  const { headers } = aws4.sign(
    {
      ...{ service: 's3', region: 'us-east-1', host: way.authority, path: asking.path, method: asking.method ?? 'GET' },
      headers: { ...asking.headers },
      ...(asking.body !== undefined && { body: asking.body }),
    },
    { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  )
  const kept = Object.entries(headers as Record<string, string | number>).filter(
    ([name]) => !['host', 'content-length'].includes(name.toLowerCase()),
  )
  return { ...asking, headers: Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), `${value}`])) }
}

/** Writes, reads, lists, copies and deletes every key; returns what was read of each. */
async function scenario(way: Recorder): Promise<Record<string, string>> {
  const ask = (asking: Asking) => way.ask(signed(way, asking))
  const read: Record<string, string> = {}
  for (const key of keys) {
    const path = `/bucket/${escaped(key)}`
    await ask({
      method: 'PUT',
      path,
      body: `body of ${key}`,
      headers: { 'content-type': 'text/plain', 'x-amz-meta-own': 'yes' },
    })
    await ask({ method: 'HEAD', path })
    const got = await ask({ path })
    read[key] = got.body.toString()
    await ask({ path, headers: { range: 'bytes=0-3' } })
    await ask({ path, headers: { 'if-none-match': header(got, 'etag') ?? '"none"' } })
  }
  for (const key of keys) read[key] += ` / ${(await ask({ path: `/bucket/${escaped(key)}` })).body}`
  await ask({ path: '/bucket?list-type=2&max-keys=1000' })
  await ask({ path: '/bucket?list-type=2&prefix=a%2F&delimiter=%2F&encoding-type=url' })
  await ask({ path: '/' })
  await ask({ path: '/bucket/nothing//here' })
  await ask({ path: '/no-bucket/x' })
  await ask({
    method: 'PUT',
    path: '/bucket/copy%20of',
    headers: { 'x-amz-copy-source': '/bucket/two%20words%2Bplus' },
  })
  await ask({
    path: '/bucket/copy%20of?response-content-type=text%2Fx-own&response-content-disposition=attachment%3B%20filename%3D%22a%20b%22',
  })
  await way.ask({ path: '/bucket/plain.txt', headers: { authorization: 'AWS4-HMAC-SHA256 nonsense' } })
  for (const key of keys) await ask({ method: 'DELETE', path: `/bucket/${escaped(key)}` })
  await ask({ path: '/bucket/plain.txt' })
  return read
}

test.each(atOnce)(
  'objects with odd keys are written, read and listed unchanged, over HTTP/$version, with $name',
  async ({ facts, version }) => {
    const [straight, behind] = [await startServer(), await startServer()]
    const { edge } = await place.site('s3.test', version, behind.port, facts)
    const direct = await place.way('direct', 's3.test', version, straight.port)
    const expected = Object.fromEntries(keys.map((key) => [key, `body of ${key} / body of ${key}`]))
    // How this server treats a NUL byte or a dot as a key does not matter: the edge has to give the same result.
    const known = await scenario(direct)
    for (const key of ['a//b', 'a/b', 'slash%2Fescaped', '你好/é.txt']) expect(known[key]).toBe(expected[key])
    const read = await scenario(edge)
    expect(differencesOfRuns(direct.exchanges, edge.exchanges, own)).toEqual([])
    expect(read).toEqual(known)
  },
)

test.each(versionsAsked)('public objects that are cached arrive unchanged, over HTTP/%s', async (version) => {
  const server = await startServer()
  const { direct, edge } = await place.site('public.test', version, server.port, {
    cache: [{ id: 1, prefixes: ['/bucket/'], extensions: [], ttl: 60, ignoreQuery: false }],
  })
  const paths = ['plain.txt', 'a//b', 'a/b', 'slash%2Fescaped', '你好/é.txt'].map((key) => `/bucket/${escaped(key)}`)
  for (const path of paths) {
    const put = { method: 'PUT', path, body: `public object of ${path}`, headers: { 'content-type': 'text/plain' } }
    expect((await direct.ask(signed(direct, put))).status).toBe(200)
  }
  // This server does not know If-Range or lists of ETags, and takes the last bytes for the first.
  const isWrong = ({ headers }: Asking) =>
    headers?.['if-range'] !== undefined ||
    headers?.range === 'bytes=-7' ||
    headers?.['if-none-match']?.includes(', ') === true
  expect(await probe(direct, edge, paths, {}, own, isWrong)).toEqual([])
})
