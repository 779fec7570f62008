/** The pure parts of the request path. */
import { describe, expect, test } from 'vitest'
import { languageFor, wantsJson } from './accept.ts'
import { formatAddress, inRangeSet, parseAddress, rangeSet } from './address.ts'
import { takeFrom } from './bucket.ts'
import { canonicalHost, canonicalPath } from './canonical.ts'
import { listOf, problemOf, record, text, whole } from './shape.ts'

const bytes = (address: string) => parseAddress(address)!

test('a bucket lets its rate and burst through, and has room again as it drains', () => {
  const levels = new Map<string, number>()
  const counters = {
    get: (key: string) => levels.get(key),
    set: (key: string, value: number) => void levels.set(key, value),
  }
  const take = (now: number) => takeFrom(counters, now, 'k', 2, 3)
  expect(Array.from({ length: 10 }, () => take(100)).filter(Boolean)).toHaveLength(4)
  expect(take(100.4)).toBe(false)
  expect(take(100.5)).toBe(true)
  expect(take(100.6)).toBe(false)
})

describe('addresses', () => {
  test('an address is parsed to its bytes, and an IPv4-mapped IPv6 address is the IPv4 address', () => {
    expect(bytes('192.0.2.1')).toBe('\xc0\0\x02\x01')
    expect(bytes('::ffff:192.0.2.1')).toBe(bytes('192.0.2.1'))
    expect(formatAddress(bytes('2001:DB8::5'))).toBe('2001:0db8:0000:0000:0000:0000:0000:0005')
  })
  test.each(['', '1.2.3', '256.1.1.1', '01.2.3.4', '1.2.3.4.5', ':::', '1::2::3', '12345::', 'g::', '1:2:3:4:5:6:7'])(
    '%j is not an address',
    (text) => {
      expect(parseAddress(text)).toBeUndefined()
    },
  )
  test('a set contains the addresses of its ranges, in any notation and even if they overlap', () => {
    const set = rangeSet(['192.0.2.0/25', '192.0.2.100-192.0.2.130', '10.0.0.0/8', '2001:db8::/33', '255.255.255.255'])
    for (const inside of ['192.0.2.0', '192.0.2.130', '10.255.255.255', '2001:db8:7fff::', '255.255.255.255'])
      expect(inRangeSet(set, bytes(inside)), inside).toBe(true)
    for (const outside of ['192.0.1.255', '192.0.2.131', '11.0.0.0', '2001:db8:8000::', '0.0.0.0'])
      expect(inRangeSet(set, bytes(outside)), outside).toBe(false)
  })
})

test.each([
  ['/a//b/./c/../d', '/a/b/d'],
  ['/%61%2Fb', '/a/b'],
  ['/a/..', '/'],
  ['/a/.', '/a/'],
  ['/%', '/%'],
  ['/..', undefined],
  ['/%2e%2e/x', undefined],
])('the canonical path of %s is %s', (raw, canonical) => {
  expect(canonicalPath(raw)).toBe(canonical)
})

test('a host loses its port, its trailing dot and its case', () => {
  expect(canonicalHost('Site.Test.:8080')).toBe('site.test')
})

test('a program gets JSON, a browser a page in its preferred language', () => {
  expect(wantsJson('application/json, */*')).toBe(true)
  expect(wantsJson('text/html,application/json')).toBe(false)
  expect(wantsJson('*/*')).toBe(false)
  expect(languageFor('fr, zh-HK;q=0.9, en;q=0.8')).toBe('zh-TW')
  expect(languageFor('zh;q=0.3, en;q=0.4')).toBe('en')
  expect(languageFor('zh-CN')).toBe('zh-CN')
})

test('a shape reports where a value is invalid, and a strict one rejects unknown fields', () => {
  const shape = record({ name: text, ids: listOf(whole) }, true)
  const problem = (value: unknown, path = 'rule') => problemOf(shape, value, path)
  expect(problem({ name: 'a', ids: [1] })).toBeUndefined()
  expect(problem({ name: 'a', ids: [1, 1.5] })).toBe('rule.ids[1] is no whole number')
  expect(problem({ name: 'a', ids: [], more: 1 })).toBe('rule.more is unknown')
  expect(problem({ name: 1, ids: [] }, '')).toBe('name is no text')
  expect(problem(5, 'rule')).toBe('rule is no object')
})
