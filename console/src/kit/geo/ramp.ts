/** Colours a country by its value on a logarithmic scale, because values differ by powers of ten. */

/** Returns the percentage of the full colour, from 16 for the smallest to 100 for the largest; 0 for zero. */
export function strength(value: number, most: number): number {
  if (!(value > 0)) return 0
  if (most <= 1) return 100
  return Math.round(16 + 84 * (Math.log1p(Math.min(value, most)) / Math.log1p(most)) ** 2)
}

/** Returns the CSS colour; it follows the theme. */
export const fillOf = (percent: number, color: '--accent' | '--drop'): string =>
  percent === 0 ? 'var(--mute-bg)' : `color-mix(in oklab, var(${color}) ${percent}%, var(--mute-bg))`
