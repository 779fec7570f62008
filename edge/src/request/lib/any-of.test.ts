/** Many expressions combined into one: it matches if one of them does, and only then. */
import { checkUrlRegex } from '@breakwater/contract/url-regex.ts'
import { expect, test } from 'vitest'
import { anyOf, literalBeginning } from './any-of.ts'
import { secondOf } from './second-of.ts'

test('common prefixes are written once, and never split within a group, class or quantifier', () => {
  expect(anyOf(['^/(a|b)/x1$', '^/(a|b)/x[12]+$', '^/(a|b)/y'])).toBe('^/(a|b)/(?:x(?:1$|[12]+$)|y)')
  expect(anyOf(['^/ab+c', '^/ab+d', '^/abc'])).toBe('^/a(?:b+(?:c|d)|bc)')
  expect(anyOf(['^/old', '^/older/x', '^/old$'])).toBe('^/old')
  expect(anyOf(['^/a|b', '^/ac'])).toBe('(?:(?:^/a|b)|^/ac)')
  expect(anyOf(['a\\.b', 'a\\.c', 'a\\\\'])).toBe('a(?:\\.(?:b|c)|\\\\)')
})

test('an expression that is not understood is joined unchanged', () => {
  for (const odd of ['(?i)a', '(a)\\1', 'a(?=b)', '\\Qa|b\\E', '[[:alpha:]]x', 'a{b', '(*FAIL)'])
    expect(anyOf(['ab', odd].reverse())).toBe(`(?:${odd})|(?:ab)`)
})

/** Pseudo-random numbers that are the same in every run. */
let state = 11
function pick<T>(items: readonly T[]): T {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
  return items[(state >>> 8) % items.length]!
}
const count = (max: number) => pick(Array.from({ length: max + 1 }, (_, n) => n))

const pieces = [
  'a',
  'b',
  '/',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\.',
  '(a|b)',
  '(?:ab|c)',
  '(a[)b]|\\))',
  '1',
  '^',
  '$',
  '|',
]
const quantifiers = ['', '', '', '', '?', '+', '*', '{2}', '{1,2}', '+?']
const expression = () =>
  pick(['', '^', '^/', '^/a', '/(a|b)']) +
  Array.from({ length: count(4) }, () => {
    const piece = pick(pieces)
    return ['^', '$', '|'].includes(piece) ? piece : piece + pick(quantifiers)
  }).join('')

test('for generated expressions and texts, the combined result equals the individual results', () => {
  let [matched, all] = [0, 0]
  for (let round = 0; round < 3000; round++) {
    const sources = Array.from({ length: 2 + count(6) }, expression).filter(
      (source) => source !== '' && checkUrlRegex(source) !== 'regexSyntax',
    )
    if (sources.length < 2) continue
    const together = new RegExp(anyOf(sources))
    const alone = sources.map((source) => new RegExp(source))
    for (let n = 0; n < 12; n++) {
      const text = `/${Array.from({ length: count(6) }, () => pick(['a', 'b', 'c', '1', '/', '.', ')'])).join('')}`
      const expected = alone.some((one) => one.test(text))
      expect(together.test(text), `${sources.join('   ')} on ${text}`).toBe(expected)
      matched += expected ? 1 : 0
      all += 1
    }
  }
  // Neither result is rare.
  expect(matched / all).toBeGreaterThan(0.2)
  expect(matched / all).toBeLessThan(0.8)
})

test('the literal prefix of an expression is known as far as it is plain text', () => {
  const beginnings = {
    '^/a\\.b/[0-9]': '/a.b/',
    '^/ab?c': '/a',
    '^/a$': '/a',
    '^/a|/b': '',
    '/a': '',
    '^/a\\d': '/a',
    '^/(a)': '/',
  }
  for (const [source, beginning] of Object.entries(beginnings))
    expect([source, literalBeginning(source)]).toEqual([source, beginning])
})

test('every text that an expression matches has the second character that secondOf names', () => {
  expect(['^/login', '^/a+', '^/-x$', '^/_'].map(secondOf)).toEqual(
    ['l', 'a', '-', '_'].map((one) => one.charCodeAt(0)),
  )
  const anyMay = [
    '^/',
    '/login',
    '^/a?b',
    '^/a*',
    '^/a{0,2}',
    '^/login|/b',
    '^/\\d',
    '^/[ab]',
    '^/(a)',
    '^/.',
    '(?i)^/a',
  ]
  expect(anyMay.map(secondOf)).toEqual(anyMay.map(() => undefined))
  let known = 0
  for (let round = 0; round < 3000; round++) {
    const source = `^/a${expression().replaceAll('^', '')}`
    if (checkUrlRegex(source) === 'regexSyntax') continue
    const [second, regex] = [secondOf(source), new RegExp(source)]
    const text = `/${Array.from({ length: count(4) }, () => pick(['a', 'b', '1', '/'])).join('')}`
    if (second === undefined || !regex.test(text)) continue
    expect(text.charCodeAt(1), `${source} on ${text}`).toBe(second)
    expect(text.startsWith(literalBeginning(source)), `${source} on ${text}`).toBe(true)
    known += 1
  }
  expect(known).toBeGreaterThan(50)
})
