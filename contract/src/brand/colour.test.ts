import { expect, test } from 'vitest'
import { accentContrast, contrastMin, isColour, paletteOf } from './colour.ts'

/** WCAG's formula, implemented a second time. */
function ratio(one: string, other: string): number {
  const light = (hex: string) => {
    const [r, g, b] = [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
  }
  const [a, b] = [light(one), light(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const readable = ['#2b5cd9', '#0b7a43', '#c4232b', '#5c1faa', '#000000', '#111111', '#00537c', '#9f3501', '#0000ff']

test.each(readable)('%s and its tints are readable on every background of both themes', (hex) => {
  expect(accentContrast(hex)).toBeGreaterThanOrEqual(contrastMin)
  const palette = paletteOf(hex)
  expect(palette.accent).toBe(hex)
  for (const ground of ['#f7f8fa', '#ffffff', palette.accentBg])
    expect(ratio(hex, ground)).toBeGreaterThanOrEqual(contrastMin - 0.05)
  for (const ground of ['#0d0f13', '#14171d', '#1a1e26', palette.darkAccentBg])
    expect(ratio(palette.darkAccent, ground)).toBeGreaterThanOrEqual(contrastMin - 0.05)
})

test('a colour that is already light is used unchanged in the dark theme', () => {
  expect(paletteOf('#7ea2ff').darkAccent).toBe('#7ea2ff')
})

test.each(['#ffcc00', '#7ea2ff', '#ffffff', '#999999'])('%s is not readable on the light page', (hex) => {
  expect(accentContrast(hex)).toBeLessThan(contrastMin)
})

test.each(['#fff', 'red', '#12345g', '', '#1234567', 'url(#a)'])('%j is not a colour', (text) => {
  expect(isColour(text)).toBe(false)
})
