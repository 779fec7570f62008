/**
 * Writes text: measures it, breaks it into lines or truncates it, with each part in a font that has its glyphs. Lengths
 * are in points.
 */
import { ellipsis, type Fonts, type Weight } from './fonts.ts'

export type Style = { size: number; color: string; weight?: Weight }
export type Place = { x: number; baseline: number; align?: 'left' | 'right' }

const han = '\\u2E80-\\u9FFF\\uF900-\\uFAFF\\u{20000}-\\u{3FFFF}'
const closing = '\\u3001\\u3002\\uFF0C\\uFF1A\\uFF1B\\uFF01\\uFF1F\\uFF09'
/** Kept on one line if possible: a Chinese character or a word, with the punctuation and spaces after it. */
const chunk = new RegExp(`(?:[${han}]|[^\\s${han}${closing}]+)?[${closing}]*\\s*`, 'gu')

export class Pen {
  readonly #doc: PDFKit.PDFDocument
  readonly #fonts: Fonts

  constructor(doc: PDFKit.PDFDocument, fonts: Fonts) {
    this.#doc = doc
    this.#fonts = fonts
    for (const { name, bytes } of fonts.cuts) doc.registerFont(name, bytes)
  }

  width(text: string, { size, weight = 'plain' }: Style): number {
    const parts = this.#fonts.parts(this.#fonts.readable(text, weight), weight)
    return parts.reduce((sum, part) => sum + this.#doc.font(part.font).fontSize(size).widthOfString(part.text), 0)
  }

  /** Writes one line without wrapping. */
  write(text: string, { x, baseline, align = 'left' }: Place, style: Style): void {
    const { size, color, weight = 'plain' } = style
    let at = align === 'right' ? x - this.width(text, style) : x
    for (const part of this.#fonts.parts(this.#fonts.readable(text, weight), weight)) {
      this.#doc.font(part.font).fontSize(size).fillColor(color)
      this.#doc.text(part.text, at, baseline, { lineBreak: false, baseline: 'alphabetic' })
      at += this.#doc.widthOfString(part.text)
    }
  }

  /**
   * Breaks a text into lines of a width: at most `linesMax`, the last one truncated with an ellipsis if there is more.
   */
  lines(text: string, width: number, linesMax: number, style: Style): string[] {
    const { size, weight = 'plain' } = style
    const readable = this.#fonts.readable(text, weight)
    const ems = width / size
    const lines: string[] = []
    let line = ''
    for (const part of readable.match(chunk) ?? []) {
      if (this.#fonts.ems(line + part.trimEnd(), weight) <= ems) {
        line += part
        continue
      }
      if (line.trim() !== '') lines.push(line.trimEnd())
      line = ''
      // A word longer than a line is broken at the end of the line.
      for (const char of part) {
        if (line !== '' && this.#fonts.ems(line + char, weight) > ems) {
          lines.push(line)
          line = ''
        }
        line += char
      }
      if (lines.length > linesMax) break
    }
    if (line.trim() !== '') lines.push(line.trimEnd())
    if (lines.length <= linesMax) return lines
    return [...lines.slice(0, linesMax - 1), this.#cut(lines[linesMax - 1]!, ems, weight)]
  }

  #cut(line: string, ems: number, weight: Weight): string {
    let kept = line
    while (kept !== '' && this.#fonts.ems(kept + ellipsis, weight) > ems) kept = [...kept].slice(0, -1).join('')
    return kept.trimEnd() + ellipsis
  }
}
