import { expect, test } from 'vitest'
import { bucketsOf, hourPieces, raiseStep, roundRange } from './range.ts'
import { gapsBetween } from './tops.ts'

const at = (text: string) => Date.parse(`2026-11-21T${text}Z`) / 1000
const ms = (text: string) => at(text) * 1000
const now = ms('14:37:12')

test('both ends are rounded down to five minutes', () => {
  expect(roundRange(ms('13:34:59'), ms('14:34:59'), now)).toEqual({ from: at('13:30:00'), to: at('14:30:00') })
})

test('by the minute both ends are rounded down to the minute', () => {
  const range = roundRange(ms('14:30:59'), ms('15:00:00'), now, 60)
  expect(range).toEqual({ from: at('14:30:00'), to: at('14:37:00') })
})

test('the bucket that is still filling is not shown', () => {
  expect(roundRange(ms('13:35:00'), now, now).to).toBe(at('14:35:00'))
  expect(roundRange(ms('13:35:00'), now + 3_600_000, now).to).toBe(at('14:35:00'))
})

test('an empty range is widened to one bucket', () => {
  expect(roundRange(ms('13:31:00'), ms('13:34:00'), now)).toEqual({ from: at('13:30:00'), to: at('13:35:00') })
  expect(roundRange(ms('14:36:00'), now, now)).toEqual({ from: at('14:35:00'), to: at('14:40:00') })
})

test('whole hours are read from the hourly rollup, the ends from five minutes', () => {
  expect(hourPieces({ from: at('10:35:00'), to: at('14:35:00') })).toEqual([
    { rollup: 'fiveMinutes', from: at('10:35:00'), to: at('11:00:00') },
    { rollup: 'hour', from: at('11:00:00'), to: at('14:00:00') },
    { rollup: 'fiveMinutes', from: at('14:00:00'), to: at('14:35:00') },
  ])
  expect(hourPieces({ from: at('10:00:00'), to: at('11:00:00') })).toEqual([
    { rollup: 'hour', from: at('10:00:00'), to: at('11:00:00') },
  ])
  expect(hourPieces({ from: at('10:35:00'), to: at('11:05:00') })).toHaveLength(1)
})

test('points are at multiples of their step, days at the start of the range', () => {
  const range = { from: at('10:35:00'), to: at('14:35:00') }
  expect(bucketsOf(range, 15)).toEqual({ origin: at('10:30:00'), seconds: 900, count: 17 })
  expect(bucketsOf({ from: at('16:00:00') - 86_400, to: at('16:00:00') }, 1440)).toEqual({
    origin: at('16:00:00') - 86_400,
    seconds: 86_400,
    count: 1,
  })
})

test('the step is raised if there would be too many points or the rollup is gone', () => {
  const last = (days: number) => ({ from: now / 1000 - days * 86_400, to: now / 1000 })
  expect(raiseStep(last(1), 1, 26_784, now)).toBe(1)
  expect(raiseStep(last(30), 1, 26_784, now)).toBe(5)
  expect(raiseStep(last(1), 5, 200, now)).toBe(15)
  expect(raiseStep(last(1), 30, 26_784, now)).toBe(30)
  expect(raiseStep(last(400), 5, 26_784, now)).toBe(60)
  expect(raiseStep(last(3_000), 5, 26_784, now)).toBe(1440)
})

test('gaps are what closed hours do not cover', () => {
  expect(gapsBetween({ from: 0, to: 10 }, [])).toEqual([{ from: 0, to: 10 }])
  expect(
    gapsBetween({ from: 0, to: 10 }, [
      { from: 2, to: 4 },
      { from: 6, to: 10 },
    ]),
  ).toEqual([
    { from: 0, to: 2 },
    { from: 4, to: 6 },
  ])
})
