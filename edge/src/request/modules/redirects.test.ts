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

test('the first rule that matches applies, whatever its kind', () => {
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

test('of two prefixes the first one applies, not the longer one', () => {
  expect(find([rule('prefix', '/a'), rule('prefix', '/a/b')], '/a/b/c')).toBe(1)
  expect(find([rule('prefix', '/a/b'), rule('prefix', '/a')], '/a/b/c')).toBe(1)
  expect(find([rule('exact', '/a'), rule('exact', '/a')], '/a')).toBe(1)
})

/** Pseudo-random numbers, the same in every run. */
let state = 7
const random = (below: number): number => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
  return (state >>> 8) % below
}
const piece = (): string => Array.from({ length: 1 + random(3) }, () => 'ab/'[random(3)]).join('')

test('for generated rules the result is the same as checking them one by one in order', () => {
  let found = 0
  for (let round = 0; round < 300; round++) {
    const rules = Array.from({ length: 1 + random(60) }, () => {
      const kind = (['exact', 'prefix', 'regex'] as const)[round % 2 ? random(3) : 1 + random(2)]!
      return rule(kind, kind === 'regex' ? `^/${piece()}[ab]${'$'.repeat(random(2))}` : `/${piece()}`)
    })
    // Alternations that are too large together are tried in parts.
    const some = {
      ...tools,
      anyOf: (sources: readonly string[]) => (sources.length > 20 ? undefined : tools.anyOf(sources)),
    }
    const compiled = compileRedirects(
      rules.map((one, at) => ({ ...one, id: at + 1 })),
      some,
    )
    for (let n = 0; n < 30; n++) {
      const path = `/${piece()}${piece()}`.substring(0, 1 + random(6))
      const expected = rules.findIndex(({ match, value }) =>
        match === 'exact' ? path === value : match === 'prefix' ? path.startsWith(value) : new RegExp(value).test(path),
      )
      expect(findRedirect(compiled, path, matching)?.id ?? 0, `${path} of ${JSON.stringify(rules)}`).toBe(expected + 1)
      if (expected >= 0) found++
    }
  }
  expect(found).toBeGreaterThan(2000)
  expect(found).toBeLessThan(8500)
})

test('many expressions are looked up by the start of the path, in the order of all rules', () => {
  const rules = Array.from({ length: 400 }, (_, n) => rule('regex', `^/item-${n}\\.[a-z]+$`))
  rules.splice(200, 0, rule('regex', '/(old|item-3[0-9]*)\\.html$'), rule('regex', '^/item-[0-9]x'))
  for (const [path, place] of [
    ['/item-0.html', 1],
    ['/item-3.html', 4],
    ['/item-399.html', 201],
    ['/item-399.css', 402],
    ['/x/old.html', 201],
    ['/item-5x', 202],
    ['/item-400.html', undefined],
    ['/', undefined],
  ] as const)
    expect([path, find(rules, path)]).toEqual([path, place])
})

test('an ACME challenge is never redirected', () => {
  expect(find([rule('regex', '.*')], '/.well-known/acme-challenge/token')).toBeUndefined()
})

test('the last of 3,000 rules is found as fast as the first', () => {
  const rules = Array.from({ length: 3000 }, (_, n) => rule('exact', `/page-${n}`))
  expect(compileRedirects(rules, tools)).toHaveLength(1)
  expect(find(rules, '/page-2999')).toBe(3000)
})

const visit = { host: 'www.example.com', path: '/a b/ü\\', query: 'q=1&r=%20' }
const location = (target: string, keepQuery = false, groups: string[] = []) =>
  locationOf(rule('exact', '/', { target, keepQuery }), visit, groups)

test('placeholders are filled in, and encoded if they are paths', () => {
  expect(location('https://$host/x$path?from=$query')).toBe('https://www.example.com/x/a%20b/%FC%5C?from=q=1&r=%20')
  expect(location('/items/$2/$1', false, ['one', 'two/three'])).toBe('/items/two/three/one')
  expect(location('/items/$3')).toBe('/items/')
})

test('the query is appended if it is kept, and only once', () => {
  expect(location('/x', true)).toBe('/x?q=1&r=%20')
  expect(location('/x?y=2', true)).toBe('/x?y=2&q=1&r=%20')
  expect(location('/x?$query', true)).toBe('/x?q=1&r=%20')
  expect(location('/x')).toBe('/x')
})

test('a capture group cannot redirect to another host', () => {
  expect(location('/$1', false, ['/evil.example'])).toBe('/evil.example')
  expect(location('/$1', false, ['\\evil.example'])).toBe('/%5Cevil.example')
  expect(location('$path', false)).toBe('/a%20b/%FC%5C')
})
