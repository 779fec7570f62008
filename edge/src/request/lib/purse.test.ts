import { expect, test } from 'vitest'
import { leftOf, type Purse, paid } from './purse.ts'

test('what is taken beyond the purse is owed and paid back by time', () => {
  const purse = paid(undefined, 100, 0.03)
  expect(leftOf(purse, 100)).toBeCloseTo(-0.01)
  expect(leftOf(purse, 120)).toBeCloseTo(0.01)
  expect(leftOf(purse, 1000)).toBe(leftOf(undefined, 1000))
})

test('whatever a flood takes, half a purse is there twenty seconds after it', () => {
  let purse: Purse | undefined
  for (let i = 0; i < 60_000; i++) purse = paid(purse, i / 1000, 0.001)
  expect(leftOf(purse, 60)).toBeLessThan(0)
  expect(leftOf(purse, 80)).toBeGreaterThanOrEqual(0.01)
})
