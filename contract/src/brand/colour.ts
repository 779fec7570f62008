/** The operator's accent colour: whether it is readable, and its variant for the dark theme. Colours are `#rrggbb`. */

type Rgb = readonly [number, number, number]
/** The backgrounds behind an accent: the page in the light theme, raised surfaces in the dark one (console tokens). */
const lightPage: Rgb = [0xf7, 0xf8, 0xfa]
const darkRaised: Rgb = [0x1a, 0x1e, 0x26]
const darkSurface: Rgb = [0x14, 0x17, 0x1d]
const white: Rgb = [255, 255, 255]

/** The contrast that text needs against its background (WCAG 2.2, 1.4.3). */
export const contrastMin = 4.5
/** The dark variant is lightened to this contrast, which the product's own accent has too. */
const darkContrastWanted = 6

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

const parse = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never
const format = (colour: Rgb): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
const mix = (over: Rgb, under: Rgb, share: number): Rgb =>
  over.map((part, index) => part * share + under[index]! * (1 - share)) as never

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (high + 0.05) / (low + 0.05)
}

/** The contrast of an accent on the light page, 1 to 21. */
export const accentContrast = (hex: string): number => contrast(parse(hex), lightPage)

/** The strongest tint of a background on which the accent itself is still readable. */
function tint(accent: Rgb, ground: Rgb, strongest: number): Rgb {
  for (let share = strongest; share > 0; share -= 0.01) {
    const mixed = mix(accent, ground, share)
    if (contrast(accent, mixed) >= contrastMin) return mixed
  }
  return ground
}

export type Palette = { accent: string; accentBg: string; darkAccent: string; darkAccentBg: string }

/**
 * The four colours derived from an accent. The dark variant is the same colour, mixed with white until it is readable.
 */
export function paletteOf(hex: string): Palette {
  const accent = parse(hex)
  let dark = accent
  for (let share = 0.02; contrast(dark, darkRaised) < darkContrastWanted && share <= 1; share += 0.02)
    dark = mix(white, accent, share)
  return {
    accent: format(accent),
    accentBg: format(tint(accent, white, 0.1)),
    darkAccent: format(dark),
    darkAccentBg: format(tint(dark, darkSurface, 0.2)),
  }
}
