import { describe, expect, test } from 'vitest'
import { isFoundInAnyCase, isSearchedInAnyCase } from './any-case.ts'

describe('an expression for lowercased text is searched case-insensitively', () => {
  test.each([
    'java\\.lang\\.(?:runtime|processbuilder)',
    '[\\r\\n]\\W*?(?:content-type|set-cookie):\\s',
    '<\\?(?:[^x]|x[^m]|$)|[a-z0-9-]+',
    '(?i)UNION.*SELECT',
  ])('%s', (expression) => expect(isFoundInAnyCase(expression)).toBe(true))

  // Case-insensitively, these exclude or reinterpret letters that they match in lower case.
  test.each([
    '[^A-Z]',
    '[^+-_]',
    '[^\\n-_]',
    '[^[:upper:]]',
    '[^\\x41]',
    '\\101',
    '(?-i)x',
    'a(?i)b',
    '(?!A)\\w',
    '\\p{Lu}',
  ])('not %s', (expression) => expect(isFoundInAnyCase(expression)).toBe(false))

  test.each(['(?i)a(?-i:B)', '(?i)[[:upper:]]'])('nor %s, despite its (?i) prefix', (expression) =>
    expect(isFoundInAnyCase(expression)).toBe(false),
  )
})

test('a search ignores case only if lowercase is the last transformation, and only its result is matched', () => {
  const condition = {
    targets: [],
    operator: 'rx' as const,
    argument: 'abc',
    transforms: ['urlDecode' as const, 'lowercase' as const],
  }
  expect(isSearchedInAnyCase(condition)).toBe(true)
  expect(isSearchedInAnyCase({ ...condition, operator: 'pm', argument: '' })).toBe(true)
  expect(isSearchedInAnyCase({ ...condition, transforms: ['lowercase', 'urlDecode'] })).toBe(false)
  expect(isSearchedInAnyCase({ ...condition, multiMatch: true })).toBe(false)
  expect(isSearchedInAnyCase({ ...condition, operator: 'streq' })).toBe(false)
})
