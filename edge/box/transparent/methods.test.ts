/** HEAD: sent to the origin as HEAD unless a stored GET answers it, and never stored itself. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from '../harness.ts'
import { StubOrigin } from '../origin.ts'
import { ask, cacheOf, header, type Version, versions } from './ask.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    const url = request.url!
    if (url.startsWith('/upload')) {
      // Like tus: a resource that answers HEAD, but not GET.
      if (request.method !== 'HEAD') return response.writeHead(404).end('no such page')
      return response.writeHead(200, { 'Upload-Offset': '4096', 'Cache-Control': 'no-store' }).end()
    }
    if (url.startsWith('/keep')) response.setHeader('cache-control', 'max-age=60')
    response.setHeader('x-method', request.method!).setHeader('content-length', 11).end('eleven long')
  })
  box = await Box.start({ workers: 1 }, (disk) => disk.feed(disk.site({ origins: [{ port: origin.port }] })))
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const methodsOf = (path: string) => origin.asked.filter(({ url }) => url === path).map(({ method }) => method)
const visit = (version: Version, method: string, path: string) => ask(box, version, 'site.test', { method, path })

test.each(versions)('a HEAD is a HEAD at the origin, each time, over HTTP/%s', async (version) => {
  for (let i = 0; i < 3; i++) {
    const answer = await visit(version, 'HEAD', `/upload-${version}`)
    expect([answer.status, header(answer, 'upload-offset')]).toEqual([200, '4096'])
  }
  expect(methodsOf(`/upload-${version}`)).toEqual(['HEAD', 'HEAD', 'HEAD'])
})

test.each(versions)(
  'a HEAD stores nothing: the GET after it is answered by the origin, over HTTP/%s',
  async (version) => {
    const path = `/keep-head-${version}`
    const head = await visit(version, 'HEAD', path)
    expect([head.status, header(head, 'content-length'), head.body.length]).toEqual([200, '11', 0])
    const first = await visit(version, 'GET', path)
    expect([first.body.toString(), cacheOf(first), header(first, 'x-method')]).toEqual(['eleven long', 'MISS', 'GET'])
    expect(cacheOf(await visit(version, 'GET', path))).toBe('HIT')
    expect(methodsOf(path)).toEqual(['HEAD', 'GET'])
  },
)

test.each(versions)('a HEAD of a stored page is answered without the origin, over HTTP/%s', async (version) => {
  const path = `/keep-get-${version}`
  await visit(version, 'GET', path)
  const hit = await visit(version, 'HEAD', path)
  expect([hit.status, cacheOf(hit), header(hit, 'content-length'), hit.body.length]).toEqual([200, 'HIT', '11', 0])
  expect(methodsOf(path)).toEqual(['GET'])
})

test('a HEAD of an uncacheable page requests no body from the origin', async () => {
  await visit('1.1', 'GET', '/never')
  await visit('1.1', 'HEAD', '/never')
  await visit('1.1', 'HEAD', '/never')
  expect(methodsOf('/never')).toEqual(['GET', 'HEAD', 'HEAD'])
})

test('HEAD and GET with different statuses do not affect each other', async () => {
  expect((await visit('1.1', 'GET', '/upload-none')).status).toBe(404)
  expect((await visit('1.1', 'HEAD', '/upload-none')).status).toBe(200)
  expect((await visit('1.1', 'GET', '/upload-none')).status).toBe(404)
})

test.each(['OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'REPORT', 'MKCOL', 'SEARCH'])(
  '%s reaches the origin unchanged',
  async (method) => {
    for (const version of versions) {
      const answer = await visit(version, method, '/any')
      expect([answer.status, header(answer, 'x-method')]).toEqual([200, method])
    }
  },
)
