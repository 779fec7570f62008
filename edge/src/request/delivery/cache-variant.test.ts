/** Which requests share an object: a key includes everything that may change an answer. */
import { expect, test } from 'vitest'
import { bypassReason, compileBypass } from './cache-bypass.ts'
import { compileVariant, keptQuery, variantKey } from './cache-variant.ts'

const rule = { id: 1, prefixes: ['/'], extensions: [], ttl: 60, ignoreQuery: false }
const kept = (only: boolean, names: string[], query: string) =>
  keptQuery(query, compileVariant({ ...rule, query: { only, names } })!.query!)

test.each([
  ['a=1&utm=2&b=3', 'a=1&b=3'],
  ['utm=2', ''],
  ['a=1&A=2', 'a=1&A=2'],
  // Anything that an origin may read as one of the listed parameters.
  ['%61=1', '%61=1'],
  ['a[]=1', 'a[]=1'],
  ['utm=2;a=1', 'utm=2;a=1'],
  ['+a=1', '+a=1'],
  ['b.=1', 'b.=1'],
])('with ?%s the key includes only the listed parameters: %s', (query, expected) => {
  expect(kept(true, ['a', 'b'], query)).toBe(expected)
})

test.each([
  ['a=1&utm_source=2&fbclid=3', 'a=1'],
  ['UTM_source=2', 'UTM_source=2'],
  ['utm_source=2;a=1', 'utm_source=2;a=1'],
  ['%75tm_source=2', '%75tm_source=2'],
])('with ?%s the key includes all but the ignored parameters: %s', (query, expected) => {
  expect(kept(false, ['utm_*', 'fbclid'], query)).toBe(expected)
})

const keyOf = (fields: object, query: string, headers: Record<string, string>) =>
  variantKey(compileVariant({ ...rule, ...fields })!, query, {
    values: (name) => headers[name],
    digest: (text) => text,
  })

test('two requests share a key only if everything in it is the same', () => {
  const fields = { keyHeaders: ['x-a', 'x-b'], keyCookies: ['theme'], keyDevice: true }
  const requests: Record<string, string>[] = [
    {},
    { 'x-a': '' },
    { 'x-a': '1' },
    { 'x-b': '1' },
    { 'x-a': '1', 'x-b': '1' },
    { 'x-a': '1, x-b:1' },
    { cookie: 'theme=1' },
    { cookie: 'theme=2' },
    { cookie: 'theme=1; theme=2' },
    { cookie: 'theme=2; theme=1' },
    { 'user-agent': 'Mozilla/5.0 (iPhone) Mobile' },
    { 'user-agent': 'Mozilla/5.0 (Linux; Android 14)' },
  ]
  expect(new Set(requests.map((headers) => keyOf(fields, '', headers))).size).toBe(requests.length)
  expect(keyOf(fields, '', { cookie: 'a=1; theme=1' })).not.toBe(keyOf(fields, '', { cookie: 'theme=2' }))
  expect(keyOf({ query: { only: true, names: ['a'] } }, 'b=1', {})).not.toBe(
    keyOf({ query: { only: true, names: ['a', 'b'] } }, '', {}),
  )
})

test('a request that must bypass the cache is recognised in every spelling', () => {
  const bypass = compileBypass({ cookies: ['wordpress_logged_in_*'], headers: ['x-preview'], query: ['preview_id'] })!
  const reason = (query: string, headers: Record<string, string> = {}) =>
    bypassReason(bypass, query, { header: (name) => headers[name] })
  for (const query of [
    'preview_id=1',
    'a=1&PREVIEW_ID',
    'a=1;preview_id=1',
    '%70review_id=1',
    'preview_id[]=',
    'preview.id=',
  ])
    expect(reason(query), query).toBe('bypassQuery')
  expect(reason('preview=1')).toBeUndefined()
  expect(reason('', { cookie: 'a=1; wordpress_logged_in_x=2' })).toBe('bypassCookie')
  expect(reason('', { cookie: 'wordpress=1' })).toBeUndefined()
  expect(reason('', { 'x-preview': '' })).toBe('bypassHeader')
})
