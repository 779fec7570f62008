import { describe, expect, test } from 'vitest'
import { checkUrlRegex } from './url-regex.ts'

describe('a regular expression', () => {
  test.each([
    '^/login',
    '^/api/[a-z0-9-]+/\\d+$',
    '\\.(jpg|png|gif)$',
    '^/.*\\.php$',
    '(?:a|b)c',
    '/a{2,5}/',
    '^/wp-(admin|login)\\.php',
    '[^/]+/x',
    '^/(foo|bar)?/baz$',
  ])('%s is accepted', (source) => expect(checkUrlRegex(source)).toBeUndefined())

  test.each([
    ['(', 'regexSyntax'],
    ['[z-a]', 'regexSyntax'],
    ['^(a+)+$', 'regexTooComplex'],
    ['(a*)*', 'regexTooComplex'],
    ['(a|a)*b', 'regexTooComplex'],
    ['(x+x+)+y', 'regexTooComplex'],
    ['.*.*=', 'regexTooComplex'],
    ['\\d+\\d+$', 'regexTooComplex'],
    ['a{1,5000}', 'regexTooComplex'],
    ['(?:\\"|\'|\\]|\\}|\\d)+[)]*;?((?:\\s|-|~|!)*.*(?:.*=.*))', 'regexTooComplex'],
    ['.{0,1000}.{0,1000}z', 'regexTooComplex'],
    ['(?=a)b', 'regexUnsupported'],
    ['(?<name>a)', 'regexUnsupported'],
    ['(a)\\1', 'regexUnsupported'],
  ])('%s is refused: %s', (source, why) => expect(checkUrlRegex(source)).toBe(why))

  test('what is accepted stays quick on hostile text', () => {
    const hostile = `/${'a'.repeat(5000)}!`
    for (const source of ['^/[a-z]+\\d$', '^/.*\\.php$', '^/(foo|bar)?/baz$', '^/a+b*c?$']) {
      const start = performance.now()
      new RegExp(source).test(hostile)
      expect(performance.now() - start).toBeLessThan(50)
    }
  })
})
