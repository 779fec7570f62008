import { describe, expect, test } from 'vitest'
import { checkDomainName, DomainPattern } from './domain-name.ts'

const reason = (value: unknown, wildcard = false) => {
  const check = checkDomainName(value, { wildcard })
  return check.ok ? check.name : check.reason
}

describe('a domain name', () => {
  test.each([
    ['example.com', 'example.com'],
    ['Example.COM.', 'example.com'],
    ['  example.com ', 'example.com'],
    ['_dmarc.example.com', '_dmarc.example.com'],
    ['例子.测试', 'xn--fsqu00a.xn--0zwm56d'],
    ['a.b.c.example.co.uk', 'a.b.c.example.co.uk'],
  ])('%s is accepted as %s', (typed, name) => expect(reason(typed)).toBe(name))

  test.each([
    [42, 'invalid_type'],
    ['', 'invalid_format'],
    ['localhost', 'invalid_format'],
    ['127.0.0.1', 'invalid_format'],
    ['-a.example.com', 'invalid_format'],
    ['a..example.com', 'invalid_format'],
    ['exa mple.com', 'invalid_format'],
    ['example.com:80', 'invalid_format'],
    ['http://example.com', 'invalid_format'],
    ['user@example.com', 'invalid_format'],
    [`${'a'.repeat(64)}.example.com`, 'invalid_format'],
    [`${'a.'.repeat(126)}example.com`, 'invalid_format'],
    ['example.c', 'invalid_tld'],
    ['example.123', 'invalid_tld'],
    ['.com', 'invalid_sld_length'],
    [`${'a'.repeat(64)}.com`, 'invalid_sld_length'],
    ['my_site.com', 'invalid_sld_underscore'],
  ])('%s is rejected: %s', (typed, why) => expect(reason(typed)).toBe(why))

  test('a wildcard is accepted only if allowed, and only as the first label', () => {
    expect(reason('*.example.com', true)).toBe('*.example.com')
    expect(reason('*.例子.测试', true)).toBe('*.xn--fsqu00a.xn--0zwm56d')
    expect(reason('*.example.com')).toBe('invalid_format')
    expect(reason('a.*.com', true)).not.toBe('a.*.com')
  })
})

test('an empty field is reported as missing, not as invalid', () => {
  expect(DomainPattern.safeParse('').error?.issues[0]?.message).toBe('required')
  expect(DomainPattern.safeParse('localhost').error?.issues[0]?.message).toBe('invalid_format')
})
