import type { EdgeRedirect } from '@breakwater/contract/edge/module-parts.ts'
import { expect, test } from 'vitest'
import type { CompileTools, Regex } from '../lib/guard.ts'
import { compileRedirects, findRedirect, locationOf } from './redirects.ts'

const regex = (source: string) => new RegExp(source) as unknown as Regex
const tools: CompileTools = {
  regex,
  anyOf: (sources) => regex(sources.map((source) => `(?:${source})`).join('|')),
  wafRules: () => {
    throw new Error('not asked')
  },
  wafResponses: () => {
    throw new Error('not asked')
  },
  addressList: () => undefined as never,
}
const matches = (expression: Regex, text: string) => (expression as unknown as RegExp).test(text)
const matching = { matches, mayMatch: matches }
const rule = (match: EdgeRedirect['match'], value: string, more: Partial<EdgeRedirect> = {}): EdgeRedirect => ({
  ...{ id: 1, match, value, target: '/x', status: 301, keepQuery: true },
  ...more,
})
const find = (rules: EdgeRedirect[], path: string) =>
  findRedirect(
    compileRedirects(
      rules.map((one, at) => ({ ...one, id: at + 1 })),
      tools,
    ),
    path,
    matching,
  )?.id

test('the first rule that matches answers, of whichever kind', () => {
  const rules = [
    rule('prefix', '/shop/'),
    rule('exact', '/shop/open'),
    rule('exact', '/a'),
    rule('regex', '^/item-[0-9]+$'),
    rule('regex', '^/item-'),
    rule('prefix', '/a'),
  ]
  expect(find(rules, '/shop/open')).toBe(1)
  expect(find(rules, '/a')).toBe(3)
  expect(find(rules, '/ab')).toBe(6)
  expect(find(rules, '/item-7')).toBe(4)
  expect(find(rules, '/item-x')).toBe(5)
  expect(find(rules, '/b')).toBeUndefined()
})

test('of two beginnings the one that stands first answers, not the longer one', () => {
  expect(find([rule('prefix', '/a'), rule('prefix', '/a/b')], '/a/b/c')).toBe(1)
  expect(find([rule('prefix', '/a/b'), rule('prefix', '/a')], '/a/b/c')).toBe(1)
  expect(find([rule('exact', '/a'), rule('exact', '/a')], '/a')).toBe(1)
})

test('a certificate’s challenge is never redirected', () => {
  expect(find([rule('regex', '.*')], '/.well-known/acme-challenge/token')).toBeUndefined()
})

test('the last of 3,000 is found as fast as the first', () => {
  const rules = Array.from({ length: 3000 }, (_, n) => rule('exact', `/page-${n}`))
  expect(compileRedirects(rules, tools)).toHaveLength(1)
  expect(find(rules, '/page-2999')).toBe(3000)
})

const visit = { host: 'www.example.com', path: '/a b/ü\\', query: 'q=1&r=%20' }
const location = (target: string, keepQuery = false, groups: string[] = []) =>
  locationOf(rule('exact', '/', { target, keepQuery }), visit, groups)

test('places are filled in, encoded where they are paths', () => {
  expect(location('https://$host/x$path?from=$query')).toBe('https://www.example.com/x/a%20b/%FC%5C?from=q=1&r=%20')
  expect(location('/items/$2/$1', false, ['one', 'two/three'])).toBe('/items/two/three/one')
  expect(location('/items/$3')).toBe('/items/')
})

test('the query is added where it is kept, and once', () => {
  expect(location('/x', true)).toBe('/x?q=1&r=%20')
  expect(location('/x?y=2', true)).toBe('/x?y=2&q=1&r=%20')
  expect(location('/x?$query', true)).toBe('/x?q=1&r=%20')
  expect(location('/x')).toBe('/x')
})

test('a group cannot lead to another host', () => {
  expect(location('/$1', false, ['/evil.example'])).toBe('/evil.example')
  expect(location('/$1', false, ['\\evil.example'])).toBe('/%5Cevil.example')
  expect(location('$path', false)).toBe('/a%20b/%FC%5C')
})
