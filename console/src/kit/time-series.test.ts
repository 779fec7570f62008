import { expect, test } from 'vitest'
import { foldLines, isFilling, isWhole, type Line } from './time-series.ts'

const line = (key: string): Line => ({ key, label: key, color: '--c1' })
const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'none'].map(line)
const value = { a: 1, b: 9, c: 3, d: 4, e: 5, f: 6, g: 7, none: 0 }

test('of many lines, the five largest stay in their order, and the rest are merged', () => {
  const folded = foldLines({ points: [{ time: 0, value }], lines, before: undefined }, 'Other')
  expect(folded.lines.map(({ key }) => key)).toEqual(['b', 'd', 'e', 'f', 'g', 'other'])
  expect(folded.points[0]!.value.other).toBe(4)
})

test('lines without data add no "other" line', () => {
  const few = foldLines({ points: [{ time: 0, value: { a: 1, b: 2 } }], lines, before: undefined }, 'Other')
  expect(few.lines.map(({ key }) => key)).toEqual(['a', 'b'])
})

test('a step that extends beyond the data is not whole', () => {
  const covers = { from: 100, to: 400, step: 100 }
  const whole = [0, 100, 200, 300, 350].map((time) => isWhole({ time, value: {} }, covers))
  expect(whole).toEqual([false, true, true, true, false])
  // Only a step at the end is still filling.
  const filling = [0, 100, 200, 300, 350].map((time) => isFilling({ time, value: {} }, covers))
  expect(filling).toEqual([false, false, false, false, true])
})
