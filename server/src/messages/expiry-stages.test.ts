import { expect, test } from 'vitest'
import { stageDue, stagesOf } from './expiry-stages.ts'

const day = 86_400
const daysOf = (life: number) => stagesOf(life * day).map((stage) => stage / day)

test('warns 30, 14, 7 and 1 days before the end, not in the first half of a lifetime; short ones at ½ and ¼', () => {
  expect(daysOf(Number.POSITIVE_INFINITY)).toEqual([30, 14, 7, 1])
  expect(daysOf(90)).toEqual([30, 14, 7, 1])
  expect(daysOf(45)).toEqual([14, 7, 1])
  expect(daysOf(6)).toEqual([3, 1.5])
})

test('each stage is due once, missed ones never, and none after the end', () => {
  const due = (left: number, told: number | null) => {
    const stage = stageDue({ left: left * day, life: 90 * day, told: told === null ? null : told * day })
    return stage === undefined ? undefined : stage / day
  }
  expect([due(31, null), due(30, null), due(29, 30), due(14, 30)]).toEqual([undefined, 30, undefined, 14])
  expect([due(5, null), due(5, 7), due(1, 7), due(0.5, 1)]).toEqual([7, undefined, 1, undefined])
  expect([due(0, 7), due(-1, null)]).toEqual([undefined, undefined])
})
