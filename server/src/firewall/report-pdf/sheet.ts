/** The current position: down the page, and on to the next one. Lengths are in points. */
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

  /** Starts a new page if less than `height` is left on this one. */
  require(height: number): void {
    if (this.y + height <= sheet.bottom) return
    this.doc.addPage()
    this.y = sheet.top
  }

  /** Writes a text from the left edge, in at most `linesMax` lines of the given height. */
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
