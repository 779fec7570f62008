/** Draws the course of an attack: requests over time, with blocked and challenged ones stacked on those that passed. */
import type { Scale } from './course.ts'
import { colors } from './look.ts'
import type { Pen } from './pen.ts'

/** In points. */
export type Box = { x: number; y: number; width: number; height: number }

const label = { size: 7.5, color: colors.ink3 }
const amountsWidth = 34
const timesHeight = 16

export function drawChart(doc: PDFKit.PDFDocument, pen: Pen, scale: Scale, box: Box): void {
  const { bars, startMs, spanMs, stepMs, most, amounts, times } = scale
  const left = box.x + amountsWidth
  const width = box.width - amountsWidth
  const height = box.height - timesHeight
  const bottom = box.y + height
  for (const { at, label: text } of amounts) {
    const y = bottom - at * height
    doc
      .moveTo(left, y)
      .lineTo(left + width, y)
      .lineWidth(0.5)
      .stroke(colors.line)
    pen.write(text, { x: left - 6, baseline: y + 2.5, align: 'right' }, label)
  }
  const stepWidth = (stepMs / spanMs) * width
  // A thin white gap between bars, if there is room for it.
  const barWidth = stepWidth > 3 ? stepWidth - 0.6 : stepWidth
  for (const bar of bars) {
    const x = left + ((bar.startMs - startMs) / spanMs) * width
    const passed = (bar.passed / most) * height
    const stopped = (bar.stopped / most) * height
    if (passed > 0) doc.rect(x, bottom - passed, barWidth, passed).fill(colors.pass)
    if (stopped > 0) doc.rect(x, bottom - passed - stopped, barWidth, stopped).fill(colors.drop)
  }
  for (const { at, label: text } of times) {
    const x = left + at * width
    const textWidth = pen.width(text, label)
    doc
      .moveTo(x, bottom)
      .lineTo(x, bottom + 3)
      .lineWidth(0.5)
      .stroke(colors.ink3)
    pen.write(
      text,
      { x: Math.min(Math.max(left, x - textWidth / 2), left + width - textWidth), baseline: bottom + 12 },
      label,
    )
  }
}
