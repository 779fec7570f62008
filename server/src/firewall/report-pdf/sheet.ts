/** Where the next thing goes: down the page, and on to the next one. Lengths are points. */
import { sheet } from './look.ts'
import type { Pen, Style } from './pen.ts'

export class Sheet {
  readonly doc: PDFKit.PDFDocument
  readonly pen: Pen
  y: number = sheet.top

  constructor(doc: PDFKit.PDFDocument, pen: Pen) {
    this.doc = doc
    this.pen = pen
  }

  /** Begins a page where the rest of this one is lower than `height`. */
  require(height: number): void {
    if (this.y + height <= sheet.bottom) return
    this.doc.addPage()
    this.y = sheet.top
  }

  /** Writes a text from the left edge on, in at most `linesMax` lines of a height. */
  paragraph(
    text: string,
    style: Style,
    { linesMax, height, indent = 0 }: { linesMax: number; height: number; indent?: number },
  ): void {
    for (const line of this.pen.lines(text, sheet.width - indent, linesMax, style)) {
      this.require(height)
      this.pen.write(line, { x: sheet.left + indent, baseline: this.y + height * 0.75 }, style)
      this.y += height
    }
  }
}
