/** How long a response lives: the origin's words, the site's rules, and what always wins. */
import { expect, test } from 'vitest'
import { parseCacheControl } from './cache-control.ts'
import { encodingClass } from './encoding.ts'
import { freshness } from './freshness.ts'

const now = 1_700_000_000
const parse = (text: string) => {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms / 1000
}
const expires = (headers: Record<string, string>, more: { ttl?: number; status?: number; authorized?: boolean } = {}) =>
  freshness(
    { status: more.status ?? 200, headers, method: 'GET', hasAuthorization: more.authorized === true, now },
    more.ttl === undefined ? undefined : { id: 1, ttl: more.ttl, ignoreQuery: false },
    parse,
  ).expires

test.each([
  [{}, '0'],
  [{ 'cache-control': 'max-age=60' }, '60'],
  [{ 'cache-control': 'max-age=60, s-maxage=10' }, '10'],
  [{ 'cache-control': 'max-age=60', age: '20' }, '40'],
  [{ 'cache-control': 'max-age=60', age: 'old' }, '0'],
  [{ 'cache-control': 'max-age=60, private' }, '0'],
  [{ 'cache-control': 'max-age=60', 'set-cookie': 'a=1' }, '0'],
  [{ 'cache-control': 'max-age=60', vary: '*' }, '0'],
  [{ 'cache-control': 'no-store', 'cdn-cache-control': 'max-age=30' }, '30'],
  [{ expires: new Date((now + 90) * 1000).toUTCString() }, '90'],
  [{ expires: '0' }, '0'],
  [{ 'cache-control': 'no-cache', etag: '"a"' }, `@${now - 1}`],
])('%j lives %s', (headers, expected) => {
  expect(expires(headers as Record<string, string>)).toBe(expected)
})

test('a rule decides where the origin does not forbid, and only for answers that are worth keeping', () => {
  expect(expires({}, { ttl: 600 })).toBe('600')
  expect(expires({ 'cache-control': 'max-age=1' }, { ttl: 600 })).toBe('600')
  expect(expires({ 'cache-control': 'no-store' }, { ttl: 600 })).toBe('0')
  expect(expires({}, { ttl: 600, status: 500 })).toBe('0')
})

test('an answer to somebody who signed in is kept only where the origin says that all may see it', () => {
  expect(expires({ 'cache-control': 'max-age=60' }, { authorized: true })).toBe('0')
  expect(expires({ 'cache-control': 'public, max-age=60' }, { authorized: true })).toBe('60')
})

test('directives are read in any case, quoted or not, the smaller where they are said twice', () => {
  expect(parseCacheControl('Max-Age="5", foo="a, max-age=9", max-age=3')).toMatchObject({ 'max-age': '3' })
})

test('encodings fall into three classes', () => {
  expect([undefined, 'gzip, deflate, br', 'br;q=0, gzip', 'identity'].map(encodingClass)).toEqual([
    '',
    'br',
    'gzip',
    '',
  ])
})
