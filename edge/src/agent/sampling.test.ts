import { expect, test } from 'vitest'
import { weightFor } from './sampling.ts'

test('the fuller the spool, the more rows are sampled', () => {
  const weights = [0, 0.1, 0.125, 0.25, 0.5, 0.75, 2].map((share) => weightFor(share * 1000, 1000, 1))
  expect(weights).toEqual([1, 1, 2, 4, 16, 64, 64])
})

test('the weight falls only below half of a threshold', () => {
  expect(weightFor(240, 1000, 4)).toBe(4)
  expect(weightFor(124, 1000, 4)).toBe(2)
  expect(weightFor(63, 1000, 2)).toBe(2)
  expect(weightFor(62, 1000, 2)).toBe(1)
})
