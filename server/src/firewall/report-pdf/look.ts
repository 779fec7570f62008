/** The layout of the report's PDF: A4, the light colours of the console. Lengths are in points. */
import type { Style } from './pen.ts'

/** `top` and `bottom` delimit the area between header and footer. */
export const sheet = { left: 42, right: 553, width: 511, top: 72, bottom: 770, head: 44, foot: 792 } as const

export const colors = {
  ink: '#14171f',
  ink2: '#4a5261',
  ink3: '#656d7b',
  line: '#e3e6eb',
  accent: '#2b5cd9',
  accentBg: '#eaf0fe',
  warn: '#8f5a00',
  pass: '#12844a',
  drop: '#d6323a',
} as const

export const styles = {
  title: { size: 16.5, color: colors.ink, weight: 'strong' },
  heading: { size: 10.5, color: colors.ink, weight: 'strong' },
  figure: { size: 16, color: colors.ink, weight: 'strong' },
  text: { size: 9.5, color: colors.ink2 },
  warning: { size: 9.5, color: colors.warn },
  row: { size: 8.5, color: colors.ink },
  small: { size: 8, color: colors.ink3 },
} as const satisfies Record<string, Style>
