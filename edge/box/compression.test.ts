/** A site's compression settings: types, minimum length, level, or off; on the cached and on the direct route. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { ask, header } from './transparent/ask.ts'

/** Text written by people, like the content of sites. */
const docs = join(import.meta.dirname, '../../docs')
const text = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(join(docs, name), 'latin1').replaceAll(/[^\n -~]/g, ''))
  .join('')
  .slice(0, 64_000)

let box: Box
let origin: StubOrigin
const compression = { types: ['text/html', 'application/x-own'], minLength: 2000, level: 5 }
const hosts = {
  usual: compression,
  fast: { ...compression, level: 1 },
  small: { ...compression, level: 9 },
  off: undefined,
}

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    const [, type = '', length = '', route] = request.url!.split('/')
    response.setHeader('content-type', `${decodeURIComponent(type)}; charset=utf-8`)
    response.setHeader('cache-control', route === 'direct' ? 'no-store' : 'max-age=60')
    const body = text.slice(0, Number(length))
    response.setHeader('content-length', body.length).end(body)
  })
  box = await Box.start({ workers: 1 }, (disk) =>
    disk.feed(
      ...Object.entries(hosts).map(([name, compression], i) =>
        disk.site({
          site: i + 1,
          hosts: [`${name}.test`],
          origins: [{ port: origin.port }],
          settings: { compression },
        }),
      ),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const get = (name: keyof typeof hosts, path: string, accepted = 'gzip') =>
  ask(box, '1.1', `${name}.test`, { path, headers: { 'accept-encoding': accepted } })
const html = (length: number, route: string) => `/${encodeURIComponent('text/html')}/${length}/${route}`

test.each(['cached', 'direct'])('only the content types of the site are compressed: %s', async (route) => {
  for (const [type, encoding] of [
    ['text/html', 'gzip'],
    ['TEXT/HTML', 'gzip'],
    ['application/x-own', 'gzip'],
    ['text/css', undefined],
    ['text/html5', undefined],
  ] as const) {
    const answer = await get('usual', `/${encodeURIComponent(type)}/9000/${route}`)
    expect([type, header(answer, 'content-encoding')]).toEqual([type, encoding])
  }
})

test.each(['cached', 'direct'])('bodies below the minimum length are not compressed: %s', async (route) => {
  expect(header(await get('usual', html(1999, route)), 'content-encoding')).toBe(undefined)
  expect(header(await get('usual', html(2000, route)), 'content-encoding')).toBe('gzip')
})

test.each(['cached', 'direct'])('a higher level compresses the same text better: %s', async (route) => {
  for (const [accepted, decode] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    const bodies = []
    for (const name of ['fast', 'usual', 'small'] as const) {
      const { body } = await get(name, html(64_000, route), accepted)
      expect(decode(body).toString()).toBe(text)
      bodies.push(body.length)
    }
    const [fast, usual, small] = bodies as [number, number, number]
    expect([accepted, fast > usual, usual >= small, fast > small]).toEqual([accepted, true, true, true])
  }
  const again = await get('small', html(64_000, route))
  expect(header(again, 'x-cache')).toBe(route === 'cached' ? 'HIT' : 'DIRECT')
})

test.each(['cached', 'direct'])('a site with compression off gets its bytes unchanged: %s', async (route) => {
  const answer = await get('off', html(64_000, route))
  expect([header(answer, 'content-encoding'), header(answer, 'content-length')]).toEqual([undefined, '64000'])
  expect(answer.body.toString()).toBe(text)
})

test('a change takes effect with the next request', async () => {
  expect(header(await get('off', html(5000, 'direct')), 'content-encoding')).toBe(undefined)
  const entry = box.disk.site({
    ...{ site: 4, revision: 2, hosts: ['off.test'], origins: [{ port: origin.port }] },
    settings: { compression },
  })
  await box.control('POST', '/apply', { entries: [entry] })
  expect(header(await get('off', html(5000, 'direct')), 'content-encoding')).toBe('gzip')
})
