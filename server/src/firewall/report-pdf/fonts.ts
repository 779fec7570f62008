/**
 * The fonts of one document: subsets with only the glyphs that its texts need, from each font piece that has any of
 * them.
 */
import { readFile } from 'node:fs/promises'
import type { Locale } from '@breakwater/contract/phrases.ts'
import { create, type Font } from 'fontkit'
import subsetFont from 'subset-font'
import { type Piece, piecesFor } from './pieces.ts'

export const weights = { plain: 400, strong: 600 } as const
export type Weight = keyof typeof weights

/** Replaces characters that no font has. */
const replacement = '□'
const ellipsis = '…'

/** A font file of the document, and its name there. */
export type Cut = { name: string; bytes: Buffer }

export class Fonts {
  readonly cuts: Cut[] = []
  readonly #faces: Record<Weight, Map<number, { name: string; advance: number }>> = {
    plain: new Map(),
    strong: new Map(),
  }

  /** Loads the fonts for these texts. Weights without texts have no glyphs. */
  static async load(locale: Locale, texts: Record<Weight, string>): Promise<Fonts> {
    const fonts = new Fonts()
    const pieces = piecesFor(locale)
    for (const weight of ['plain', 'strong'] as const) await fonts.#addAll(weight, texts[weight], pieces)
    return fonts
  }

  /** A character is assigned to the first piece that covers it and has its glyph; one without a glyph has no face. */
  async #addAll(weight: Weight, text: string, pieces: readonly Piece[]): Promise<void> {
    const codes = new Set([...`${text.normalize()} ${ellipsis}${replacement}`].map((char) => char.codePointAt(0)!))
    for (const piece of pieces) {
      const wanted = [...codes].filter((code) => piece.has(code))
      if (wanted.length === 0) continue
      for (const code of await this.#add(weight, piece, wanted)) codes.delete(code)
    }
  }

  async #add(weight: Weight, { path }: Piece, codes: readonly number[]): Promise<number[]> {
    const cut = await subsetFont(await readFile(path), String.fromCodePoint(...codes), {
      targetFormat: 'truetype',
      variationAxes: { wght: weights[weight] },
      noLayoutClosure: true,
    })
    // The font parser reads the header of an outline even if it is empty and at the end of the file, as for a space.
    const bytes = Buffer.concat([cut, Buffer.alloc(16)])
    const font = create(bytes) as Font
    // A font without glyphs cannot be queried: the glyph for missing characters is always there.
    if (font.numGlyphs <= 1) return []
    const found = codes.filter((code) => font.hasGlyphForCodePoint(code))
    const name = `${weight} ${this.cuts.length}`
    this.cuts.push({ name, bytes })
    for (const code of found)
      this.#faces[weight].set(code, { name, advance: font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm })
    return found
  }

  /** One line of text that can be written: a grapheme is replaced if any part of it has no glyph. */
  readable(text: string, weight: Weight): string {
    const faces = this.#faces[weight]
    const line = text.normalize().replace(/\s+/gu, ' ')
    return [...new Intl.Segmenter().segment(line)]
      .map(({ segment }) => ([...segment].every((char) => faces.has(char.codePointAt(0)!)) ? segment : replacement))
      .join('')
  }

  /** The width of a readable text in ems, without kerning. */
  ems(text: string, weight: Weight): number {
    let sum = 0
    for (const char of text) sum += this.#faces[weight].get(char.codePointAt(0)!)!.advance
    return sum
  }

  /** Splits a readable text into parts of one font each. */
  parts(text: string, weight: Weight): { font: string; text: string }[] {
    const parts: { font: string; text: string }[] = []
    for (const char of text) {
      const { name } = this.#faces[weight].get(char.codePointAt(0)!)!
      const last = parts.at(-1)
      if (last?.font === name) last.text += char
      else parts.push({ font: name, text: char })
    }
    return parts
  }
}

export { ellipsis }
