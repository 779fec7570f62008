/** The fonts of one document: of each piece that its texts need, no more than the glyphs of these texts. */
import { readFile } from 'node:fs/promises'
import type { Locale } from '@breakwater/contract/phrases.ts'
import { create, type Font } from 'fontkit'
import subsetFont from 'subset-font'
import { type Piece, piecesFor } from './pieces.ts'

export const weights = { plain: 400, strong: 600 } as const
export type Weight = keyof typeof weights

/** Stands for whatever no font has. */
const replacement = '□'
const ellipsis = '…'

/** A font file of the document, by the name under which it is known there. */
export type Cut = { name: string; bytes: Buffer }

export class Fonts {
  readonly cuts: Cut[] = []
  readonly #faces: Record<Weight, Map<number, { name: string; advance: number }>> = {
    plain: new Map(),
    strong: new Map(),
  }

  /** Texts of a weight that is not named here have no glyphs. */
  static async load(locale: Locale, texts: Record<Weight, string>): Promise<Fonts> {
    const fonts = new Fonts()
    const pieces = piecesFor(locale)
    for (const weight of ['plain', 'strong'] as const) await fonts.#addAll(weight, texts[weight], pieces)
    return fonts
  }

  /** A character goes to the first piece that is for it and has it; one that none has stays without a face. */
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
    // The reader of fonts looks at the head of an outline even where it is empty and the file ends: a space.
    const bytes = Buffer.concat([cut, Buffer.alloc(16)])
    const font = create(bytes) as Font
    // Without any it cannot be asked for one: the glyph for what is missing is always there.
    if (font.numGlyphs <= 1) return []
    const found = codes.filter((code) => font.hasGlyphForCodePoint(code))
    const name = `${weight} ${this.cuts.length}`
    this.cuts.push({ name, bytes })
    for (const code of found)
      this.#faces[weight].set(code, { name, advance: font.glyphForCodePoint(code).advanceWidth / font.unitsPerEm })
    return found
  }

  /** One line of text that can be written: a character that a reader sees as one is replaced where a part of it has no glyph. */
  readable(text: string, weight: Weight): string {
    const faces = this.#faces[weight]
    const line = text.normalize().replace(/\s+/gu, ' ')
    return [...new Intl.Segmenter().segment(line)]
      .map(({ segment }) => ([...segment].every((char) => faces.has(char.codePointAt(0)!)) ? segment : replacement))
      .join('')
  }

  /** Ems of a readable text, without kerning. */
  ems(text: string, weight: Weight): number {
    let sum = 0
    for (const char of text) sum += this.#faces[weight].get(char.codePointAt(0)!)!.advance
    return sum
  }

  /** A readable text in parts of one font each. */
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
