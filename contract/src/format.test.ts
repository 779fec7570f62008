import { expect, test } from 'vitest'
import { makeFormat } from './format.ts'
import type { Locale } from './phrases.ts'

const locales: Locale[] = ['en_US', 'zh_TW', 'zh_CN']

test.each(locales)('a minute past midnight is 00:01 in %s, not 24:01', (locale) => {
  const { moment, clock, dayClock, clockSeconds } = makeFormat(locale, 'UTC')
  for (const say of [moment, clock, dayClock, clockSeconds]) {
    expect(say('2026-11-21T00:01:02Z')).toContain('00:01')
    expect(say('2026-11-21T00:01:02Z')).not.toContain('24:')
  }
})

test.each(locales)('a day in another year includes the year in %s', (locale) => {
  const { day } = makeFormat(locale, 'UTC')
  const year = new Date().getUTCFullYear()
  expect(day(`${year}-06-15T12:00:00Z`)).not.toContain(String(year))
  expect(day(`${year + 2}-06-15T12:00:00Z`)).toContain(String(year + 2))
})

test('zero is 0 KB, not 0 Byte', () => {
  const { bytes, bytesPerSecond, bitsPerSecond } = makeFormat('en_US')
  expect([bytes(0), bytes(999), bytes(1000), bytesPerSecond(0)]).toEqual(['0 KB', '999 Byte', '1 KB', '0 KB/s'])
  expect(bitsPerSecond(0)).toBe('0 bps')
})
