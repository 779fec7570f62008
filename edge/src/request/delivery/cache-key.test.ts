/** Cache keys: requests that differ at the origin never share a key, and a purge finds every spelling of its object. */
import { expect, test } from 'vitest'
import { canonicalPath } from '../lib/canonical.ts'
import { isPlainTarget } from '../lib/request-target.ts'
import { objectKey, spelledKey } from './cache-key.ts'

/** The keys of a target, computed as for a request. */
function keysOf(target: string, ignoreQuery = false): { object: string; key: string } | undefined {
  const mark = target.indexOf('?')
  const path = canonicalPath(mark < 0 ? target : target.slice(0, mark))
  const query = mark < 0 ? '' : target.slice(mark + 1)
  if (path === undefined) return undefined
  const object = objectKey(1, 'site.test', path, query, ignoreQuery)
  return { object, key: spelledKey(object, target, path, isPlainTarget(target, path, query), ignoreQuery) }
}

const pieces = [
  'a',
  'b',
  '/',
  '//',
  '.',
  '..',
  '%2F',
  '%2f',
  '%3F',
  '%253F',
  '%25',
  '%20',
  '%61',
  ';',
  '?',
  '&',
  '=',
  '|',
]

/** Pseudo-random numbers, the same in every run. */
let state = 7
function pick<T>(items: readonly T[]): T {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
  return items[(state >>> 8) % items.length]!
}

test('two different targets never share a key', () => {
  const targetOf = new Map<string, string>()
  for (let round = 0; round < 60_000; round++) {
    const target = `/${Array.from({ length: 1 + (round % 7) }, () => pick(pieces)).join('')}`
    const keys = keysOf(target)
    if (keys === undefined) continue
    expect(targetOf.get(keys.key) ?? target).toBe(target)
    targetOf.set(keys.key, target)
  }
  expect(targetOf.size).toBeGreaterThan(20_000)
})

test('a question mark in the path does not begin a query, and an empty query has a key of its own', () => {
  expect(keysOf('/shop%3Fitem=1')?.object).not.toBe(keysOf('/shop?item=1')?.object)
  expect(keysOf('/shop%253Fitem=1')?.object).not.toBe(keysOf('/shop%3Fitem=1')?.object)
  expect(keysOf('/x?')?.key).not.toBe(keysOf('/x')?.key)
})

test('every spelling of a path is the same object', () => {
  for (const spelling of ['/a/b', '/a%2Fb', '//a/b', '/x/../a/b', '/%61/b'])
    expect(keysOf(spelling)?.object).toBe('u1|site.test/a/b')
})

test('a rule that ignores the query shares a key between queries but not between paths', () => {
  expect(keysOf('/a?x=1', true)?.key).toBe(keysOf('/a?x=2', true)?.key)
  expect(keysOf('/a', true)?.key).toBe(keysOf('/a?', true)?.key)
  expect(keysOf('/%61?x=1', true)?.key).not.toBe(keysOf('/a?x=1', true)?.key)
})
