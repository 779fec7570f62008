/** How a country is coloured by its value: few and many differ by powers of ten, so the ramp is one of logarithms. */

/** Percent of the full colour, from 16 for the smallest to 100 for the largest; 0 for nothing. */
export function strength(value: number, most: number): number {
  if (!(value > 0)) return 0
  if (most <= 1) return 100
  return Math.round(16 + 84 * (Math.log1p(Math.min(value, most)) / Math.log1p(most)) ** 2)
}

/** What CSS draws it with; follows the theme. */
export const fillOf = (percent: number, color: '--accent' | '--drop'): string =>
  percent === 0 ? 'var(--mute-bg)' : `color-mix(in oklab, var(${color}) ${percent}%, var(--mute-bg))`
