/** How long a response lives: the origin's headers, the site's rules, and what always takes precedence. */
import type { EdgeCacheRule } from '@breakwater/contract/edge/site-parts.ts'
import { expect, test } from 'vitest'
import { parseCacheControl } from './cache-control.ts'
import { compileChoice } from './cache-rules.ts'
import { cookieKind } from './cookies.ts'
import { encodingClass } from './encoding.ts'
import { freshness } from './freshness.ts'

const now = 1_700_000_000
const parse = (text: string) => {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms / 1000
}
type More = {
  ttl?: number
  forSignedIn?: boolean
  status?: number
  authorized?: boolean
  cookie?: string
  extension?: string
  origin?: string
  partial?: string[]
  rule?: Partial<EdgeCacheRule>
}
const script = { 'content-type': 'text/javascript' }
const html = { 'content-type': 'text/html; charset=utf-8' }
const found = (headers: Record<string, string>, more: More = {}) =>
  freshness(
    {
      status: more.status ?? 200,
      headers,
      method: 'GET',
      extension: more.extension ?? 'js',
      hasAuthorization: more.authorized === true,
      cookies: cookieKind(more.cookie),
      origin: more.origin,
      partialHeaders: more.partial ?? [],
      now,
    },
    more.ttl === undefined && more.rule === undefined
      ? undefined
      : compileChoice({
          ...{ id: 1, prefixes: [], extensions: ['js'], ttl: more.ttl ?? 600, ignoreQuery: false },
          ...{ forSignedIn: more.forSignedIn === true, ...more.rule },
        }),
    parse,
  )
const expires = (headers: Record<string, string>, more: More = {}) => found(headers, more).expires

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

test('a rule decides unless the origin forbids storing, and only for answers worth storing', () => {
  expect(expires(script, { ttl: 600 })).toBe('600')
  expect(expires({ ...script, 'cache-control': 'max-age=1' }, { ttl: 600 })).toBe('600')
  expect(expires({ ...script, 'cache-control': 'no-store' }, { ttl: 600 })).toBe('0')
  expect(expires(script, { ttl: 600, status: 500 })).toBe('0')
})

test('an answer to a signed-in visitor is stored only if the origin declares it public', () => {
  expect(expires({ 'cache-control': 'max-age=60' }, { authorized: true })).toBe('0')
  expect(expires({ 'cache-control': 'public, max-age=60' }, { authorized: true })).toBe('60')
})

test('without a TTL, public answers and shared statuses live a tenth of their age, at most a minute', () => {
  const date = (secondsAgo: number) => new Date((now - secondsAgo) * 1000).toUTCString()
  const old = { ...html, 'last-modified': date(86_400), date: date(0) }
  for (const status of [405, 410, 414, 501]) expect(expires(old, { status })).toBe('60')
  expect(found(old, { status: 410 }).why).toBe('heuristic')
  expect(expires({ ...old, 'last-modified': date(300) }, { status: 410 })).toBe('30')
  expect(expires({ ...old, 'cache-control': 'public' })).toBe('60')
  // Not declared public, or possibly meant for one visitor, or overridden by the origin or a rule.
  for (const status of [200, 203, 204, 301, 403, 404, 500]) expect(expires(old, { status })).toBe('0')
  for (const status of [500, 502, 503, 504])
    expect(expires({ ...old, 'cache-control': 'public' }, { status })).toBe('0')
  expect(expires(html, { status: 410 })).toBe('0')
  expect(expires(old, { status: 410, authorized: true })).toBe('0')
  expect(expires(old, { status: 410, cookie: 'PHPSESSID=1' })).toBe('0')
  expect(expires({ ...old, 'set-cookie': 'a=1' }, { status: 410 })).toBe('0')
  expect(expires({ ...old, 'cache-control': 'public' }, { ttl: 0 })).toBe('0')
  expect(expires({ ...script, 'last-modified': date(86_400) }, { rule: { respectsOrigin: true } })).toBe('600')
})

test('directives are read in any case, quoted or not, and the smaller of duplicates wins', () => {
  expect(parseCacheControl('Max-Age="5", foo="a, max-age=9", max-age=3')).toMatchObject({ 'max-age': '3' })
})

test('Accept-Encoding headers fall into classes', () => {
  expect([undefined, 'gzip, deflate, br', 'br;q=0, gzip', 'identity'].map(encodingClass)).toEqual([
    '',
    'br, gzip',
    'gzip',
    '',
  ])
})

test('a rule stores an answer only if its content type fits its URL', () => {
  expect(expires(html, { ttl: 600, extension: 'css' })).toBe('0')
  expect(expires({}, { ttl: 600, extension: 'css' })).toBe('0')
  expect(expires({ 'content-type': 'binary/octet-stream' }, { ttl: 600, extension: 'css' })).toBe('600')
  expect(expires({ ...html, 'cache-control': 'max-age=5' }, { ttl: 600, extension: 'css' })).toBe('5')
})

test('an answer to a visitor with a session is stored only if the origin or a rule declares it public', () => {
  const signedIn = { cookie: 'theme=dark; PHPSESSID=1' }
  expect(expires({ ...html, 'cache-control': 'max-age=60' }, { ...signedIn, extension: '' })).toBe('0')
  expect(expires({ ...html, 'cache-control': 'public, max-age=60' }, { ...signedIn, extension: '' })).toBe('60')
  expect(expires({ ...script, 'cache-control': 'max-age=60' }, signedIn)).toBe('60')
  expect(expires(script, { ...signedIn, ttl: 600 })).toBe('0')
  expect(expires(script, { ...signedIn, ttl: 600, forSignedIn: true })).toBe('600')
  expect(expires(script, { cookie: 'theme=dark', ttl: 600 })).toBe('600')
  expect(expires({ ...html, 'cache-control': 'max-age=60' }, { cookie: '_ga=1; csrftoken=2', extension: '' })).toBe('0')
  expect(expires({ ...html, 'cache-control': 'max-age=60' }, { cookie: '_ga=1; bw_pass=2', extension: '' })).toBe('60')
})

test('an answer that echoes the Origin, or is part of a page, is stored only if Vary says so', () => {
  const fresh = { ...html, 'cache-control': 'public, max-age=60' }
  const echo = { ...fresh, 'access-control-allow-origin': 'https://a.test' }
  expect(expires(echo, { origin: 'https://a.test' })).toBe('0')
  expect(expires({ ...echo, vary: 'Origin' }, { origin: 'https://a.test' })).toBe('60')
  expect(expires(fresh, { partial: ['hx-request'] })).toBe('0')
  expect(expires({ ...fresh, vary: 'HX-Request' }, { partial: ['hx-request'] })).toBe('60')
})

test('a rule that respects the origin sets a TTL only if the origin sets none', () => {
  const rule = { respectsOrigin: true }
  expect(expires({ ...script, 'cache-control': 'max-age=5' }, { rule })).toBe('5')
  expect(expires(script, { rule })).toBe('600')
  expect(expires({ ...script, etag: '"a"' }, { rule: { ...rule, ttl: 0 } })).toBe('0')
})

test('statuses have TTLs of their own, and no status is stored that a rule does not include', () => {
  const rule = {
    statuses: [
      { status: 404, ttl: 30 },
      { status: 503, ttl: 5 },
      { status: 301, ttl: 0 },
    ],
  }
  expect(expires(html, { rule, status: 404 })).toBe('30')
  expect(expires(html, { rule, status: 503 })).toBe('5')
  expect(expires({ ...script, 'cache-control': 'max-age=60' }, { rule, status: 301 })).toBe('0')
  expect(expires(script, { rule })).toBe('600')
  expect(expires({ 'cache-control': 'max-age=60' }, { rule: { ...rule, ttl: 0 }, status: 302 })).toBe('0')
  expect(expires(html, { rule, status: 404, cookie: 'PHPSESSID=1' })).toBe('0')
})

test('a rule renews what it revalidates', () => {
  expect(expires({ etag: '"a"' }, { rule: {}, status: 304 })).toBe('600')
  expect(expires({ etag: '"a"' }, { rule: {}, status: 304, authorized: true })).toBe('0')
})

test('browsers get a rule’s TTL, unless the origin forbids them to store the answer', () => {
  const told = (control: string | undefined, more: More = {}) =>
    found(control === undefined ? script : { ...script, 'cache-control': control }, {
      rule: { browserTtl: 60 },
      ...more,
    }).browserControl
  expect(told(undefined)).toBe('max-age=60')
  expect(told('public, max-age=9, immutable')).toBe('max-age=60, public, immutable')
  for (const word of ['no-store', 'private', 'no-cache']) expect(told(word)).toBeUndefined()
  expect(told('public', { authorized: true })).toBe('max-age=60, public')
  expect(told(undefined, { authorized: true })).toBe('private, max-age=60')
})

test('an answer is not personal because of a cookie in the key, but still is because of any other', () => {
  const rule = { keyCookies: ['session'], prefixes: ['/'], extensions: [] }
  expect(cookieKind('session=1', ['session'])).toBe('none')
  expect(cookieKind('session=1; token=2', ['session'])).toBe('session')
  expect(expires(html, { rule, cookie: 'session=1', extension: '' })).toBe('0')
})
