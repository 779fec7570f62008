import { expect, test } from 'vitest'
import { canonicalPath, isHostOf, purgeTarget } from './purge-values.ts'

test.each([
  ['https://Example.com/a/b?x=1', 'example.com/a/b?x=1'],
  ['example.com', 'example.com/'],
  ['example.com:8443/a', 'example.com/a'],
  ['//example.com/a', 'example.com/a'],
  ['example.com./a', 'example.com/a'],
  ['http://example.com//a///b/', 'example.com/a/b/'],
  ['http://example.com/a/%2e%2e/b', 'example.com/b'],
  ['http://example.com/a%2F..%2Fb', 'example.com/b'],
  ['http://example.com/%E4%B8%AD/中', 'example.com/中/中'],
  ['http://中文.example/a', 'xn--fiq228c.example/a'],
  ['http://example.com/a?', 'example.com/a'],
])('%s is %s', (text, value) => {
  expect(purgeTarget('url', text)?.value).toBe(value)
})

test.each([
  'ftp://example.com/a',
  'javascript:alert(1)',
  'http://user:pass@example.com/',
  'http://example.com/#part',
  'http://example.com/%00',
  'http://example.com/%ff',
  'http://example.com/a b',
  'http://example.com\\@other.example/',
  'http://',
  '/only/a/path',
])('%s is not a URL to purge', (text) => {
  expect(purgeTarget('url', text)).toBeUndefined()
})

test('a prefix has no query', () => {
  expect(purgeTarget('prefix', 'example.com/img/')?.value).toBe('example.com/img/')
  expect(purgeTarget('prefix', 'example.com/img/?a=1')).toBeUndefined()
})

test('a path keeps its trailing slash, or its lack of one', () => {
  expect(['/a/.', '/a/b/..', '/..', '/a/', '/a', '/'].map(canonicalPath)).toEqual(['/a/', '/a/', '/', '/a/', '/a', '/'])
})

test('a wildcard covers the names below it, and not itself', () => {
  const names = new Set(['example.com', '*.shop.example'])
  expect(isHostOf('example.com', names)).toBe(true)
  expect(isHostOf('a.example.com', names)).toBe(false)
  expect(isHostOf('a.shop.example', names)).toBe(true)
  expect(isHostOf('shop.example', names)).toBe(false)
  expect(isHostOf('notshop.example', names)).toBe(false)
})
