/** The totals of a report: a row of boxes, each with a label, a number and a hint. Lengths are in points. */
import type { Figure } from './content.ts'
import { colors, sheet, styles } from './look.ts'
import type { Sheet } from './sheet.ts'

const padding = 8
const labelHeight = 10

export function drawFigures(page: Sheet, figures: readonly Figure[]): void {
  const { doc, pen } = page
  const width = sheet.width / figures.length
  const inner = width - 2 * padding
  const boxes = figures.map(({ label, value, hint }) => ({
    value,
    label: pen.lines(label, inner, 2, styles.small),
    hint: pen.lines(hint, inner, 2, styles.small),
  }))
  // All numbers share a baseline, however many lines the labels and hints have.
  const labels = Math.max(...boxes.map(({ label }) => label.length)) * labelHeight
  const hints = Math.max(...boxes.map(({ hint }) => hint.length)) * labelHeight
  const height = padding + labels + 22 + hints + padding
  page.require(height)
  doc.roundedRect(sheet.left, page.y, sheet.width, height, 6).lineWidth(0.8).stroke(colors.line)
  for (const [index, { label, value, hint }] of boxes.entries()) {
    const left = sheet.left + index * width
    const x = left + padding
    if (index > 0)
      doc
        .moveTo(left, page.y)
        .lineTo(left, page.y + height)
        .lineWidth(0.8)
        .stroke(colors.line)
    const numberLine = page.y + padding + labels + 17
    for (const [row, line] of label.entries())
      pen.write(line, { x, baseline: page.y + padding + 8 + row * labelHeight }, styles.small)
    pen.write(value, { x, baseline: numberLine }, styles.figure)
    for (const [row, line] of hint.entries())
      pen.write(line, { x, baseline: numberLine + 14 + row * labelHeight }, styles.small)
  }
  page.y += height + 20
}
