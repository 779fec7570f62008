import { expect, test } from 'vitest'
import { fillOf, strength } from './ramp.ts'

test('zero has no colour, the maximum the full one, and a tenfold difference is visible', () => {
  expect(strength(0, 1000)).toBe(0)
  expect(strength(Number.NaN, 1000)).toBe(0)
  expect(strength(1000, 1000)).toBe(100)
  expect(strength(1, 1)).toBe(100)
  expect(strength(1, 1_000_000)).toBeGreaterThanOrEqual(16)
  expect(strength(1000, 10_000) + 5).toBeLessThan(strength(10_000, 10_000))
})

test('colours are mixes of tokens, so that they follow the theme', () => {
  expect(fillOf(0, '--drop')).toBe('var(--mute-bg)')
  expect(fillOf(40, '--drop')).toBe('color-mix(in oklab, var(--drop) 40%, var(--mute-bg))')
})
