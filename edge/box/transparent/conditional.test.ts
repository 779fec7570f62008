/** Conditional requests: an unchanged page is a 304 whether or not the edge caches it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from '../harness.ts'
import { StubOrigin } from '../origin.ts'
import { ask, header, type Version, versions } from './ask.ts'

const controls: Record<string, string | undefined> = {
  // Express sends this for every static file: browsers store it, and revalidate it each time.
  'always-asked': 'public, max-age=0',
  'no-cache': 'no-cache',
  'no-store': 'no-store',
  private: 'private, max-age=60',
  kept: 'max-age=60',
  silent: undefined,
}
const modified = 'Tue, 14 Nov 2023 22:13:20 GMT'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    const control = controls[request.url!.split('/')[1]!]
    if (control !== undefined) response.setHeader('cache-control', control)
    response.setHeader('etag', '"v1"').setHeader('last-modified', modified)
    const given = request.headers['if-none-match']
    const isUnchanged = given === undefined ? request.headers['if-modified-since'] === modified : given.includes('"v1"')
    if (isUnchanged) return response.writeHead(304).end()
    response.end('a page')
  })
  box = await Box.start({ workers: 1 }, (disk) => disk.feed(disk.site({ origins: [{ port: origin.port }] })))
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const visit = (version: Version, path: string, headers: Record<string, string>, method = 'GET') =>
  ask(box, version, 'site.test', { method, path, headers })

const cases = Object.keys(controls).flatMap((kind) => versions.map((version): [string, Version] => [kind, version]))

test.each(cases)('a client that already has a page (%s) gets a 304, over HTTP/%s', async (kind, version) => {
  const conditions: Record<string, string>[] = [
    { 'if-none-match': '"v1"' },
    { 'if-none-match': '"other", W/"v1"' },
    { 'if-modified-since': modified },
    { 'if-none-match': '"v1"', 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
  ]
  for (const condition of conditions) {
    const path = `/${kind}/${version}/${JSON.stringify(condition).length}`
    // The first request meets an empty cache.
    for (const method of ['GET', 'GET', 'HEAD', 'GET']) {
      const answer = await visit(version, path, condition, method)
      expect([answer.status, answer.body.length], `${method} ${JSON.stringify(condition)}`).toEqual([304, 0])
      expect(header(answer, 'etag')).toBe('"v1"')
    }
    const whole = await visit(version, path, {})
    expect([whole.status, whole.body.toString()]).toEqual([200, 'a page'])
    const changed = await visit(version, path, { 'if-none-match': '"v0"' })
    expect([changed.status, changed.body.toString()]).toEqual([200, 'a page'])
  }
})

test('the condition of a signed request reaches the origin, because the signature covers it', async () => {
  const headers = {
    authorization: 'AWS4-HMAC-SHA256 SignedHeaders=host;if-none-match;range',
    'if-none-match': '"v0"',
    range: 'bytes=0-3',
  }
  for (let i = 0; i < 2; i++) {
    await visit('1.1', `/silent/signed-${i}`, headers)
    expect(origin.asked.at(-1)!.headers).toMatchObject(headers)
  }
})

test.each(['if-match', 'if-unmodified-since'])('%s of a write reaches the origin', async (name) => {
  const value = name === 'if-match' ? '"v0"' : modified
  await ask(box, '1.1', 'site.test', { method: 'PUT', path: '/silent/write', headers: { [name]: value }, body: 'x' })
  expect(origin.asked.at(-1)!.headers[name]).toBe(value)
})
