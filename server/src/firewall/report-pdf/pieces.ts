/** The font files: each family is split into pieces, each for a set of characters. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Locale } from '@breakwater/contract/phrases.ts'

export type Piece = { path: string; has: (code: number) => boolean }

const { resolve } = createRequire(import.meta.url)

/** Parses a list such as `U+4e00,U+4e8c-4e8e`. */
function rangesOf(text: string): [number, number][] {
  return text.split(',').map((part) => {
    const [first = '', last = first] = part.trim().replace(/^U\+/i, '').split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })
}

function familyPieces(family: string): Piece[] {
  const folder = dirname(resolve(`@fontsource-variable/${family}/package.json`))
  const pieces: Record<string, string> = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8'))
  return Object.entries(pieces).map(([name, text]) => {
    const ranges = rangesOf(text)
    return {
      path: join(folder, 'files', `${family}-${name.replace(/[[\]]/g, '')}-wght-normal.woff2`),
      has: (code) => ranges.some(([first, last]) => first <= code && code <= last),
    }
  })
}

/**
 * All pieces. Those with the shapes that readers of the language expect come first: Traditional and Simplified Chinese
 * differ.
 */
export function piecesFor(locale: Locale): Piece[] {
  const chinese = locale === 'zh_TW' ? ['noto-sans-tc', 'noto-sans-sc'] : ['noto-sans-sc', 'noto-sans-tc']
  return ['inter', ...chinese].flatMap(familyPieces)
}
