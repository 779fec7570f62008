import { expect, test } from 'vitest'
import { readWall, wallMoment, wallText } from '../platform/time-zone.ts'
import { stepped } from './moment-keys.ts'

test('a date and time are read in the usual notations, and an impossible day is rejected', () => {
  const at = Date.parse('2026-02-03T04:05:00Z') / 1000
  for (const text of ['2026-02-03 04:05', '2026-2-3 4:05', '2026/02/03 04:05', ' 2026-02-03T04:05 '])
    expect(readWall(text), text).toBe(at)
  expect(readWall('2026-02-03')).toBe(at - 4 * 3600 - 300)
  for (const text of ['', '2026', '02/03/2026', '2026-02-30 00:00', '2026-02-03 24:00', '2026-02-03 4', 'tomorrow'])
    expect(readWall(text), text).toBeUndefined()
})

test('it converts to and from its time zone', () => {
  expect(wallMoment('2026-02-03 08:00', 'Asia/Taipei')).toBe(Date.parse('2026-02-03T00:00:00Z') / 1000)
  expect(wallText(Date.parse('2026-02-03T00:00:00Z') / 1000, 'Asia/Taipei')).toBe('2026-02-03 08:00')
})

test('the part at the caret is stepped, with carry', () => {
  const text = '2026-12-31 23:59'
  expect([2, 6, 9, 12, 15].map((caret) => stepped(text, caret, 1))).toEqual([
    '2027-12-31 23:59',
    '2027-01-31 23:59',
    '2027-01-01 23:59',
    '2027-01-01 00:59',
    '2027-01-01 00:00',
  ])
  expect(stepped('soon', 0, 1)).toBeUndefined()
})
