/** The most frequent values, in two lists side by side, each value above a bar. Lengths are in points. */
import type { Top } from './content.ts'
import { sheet, styles } from './look.ts'
import type { Sheet } from './sheet.ts'

const gap = 23
const width = (sheet.width - gap) / 2
const headHeight = 20
const lineHeight = 11
const linesMax = 3
const rowGap = 1.5
const padding = 4.5

type Row = { lines: string[]; value: string; share: number; height: number }
type List = Omit<Top, 'rows'> & { rows: Row[]; height: number }

function listOf({ pen }: Sheet, top: Top): List {
  const rows = top.rows.map(({ name, value, share }): Row => {
    const room = width - 3 * padding - pen.width(value, styles.row)
    const lines = pen.lines(name, room, linesMax, styles.row)
    return { lines, value, share, height: lines.length * lineHeight + padding }
  })
  const notes = top.note ? lineHeight + padding : 0
  return { ...top, rows, height: headHeight + rows.reduce((sum, { height }) => sum + height + rowGap, 0) + notes }
}

export function drawTops(page: Sheet, tops: readonly Top[], barColor: string): void {
  for (let index = 0; index < tops.length; index += 2) {
    const lists = tops.slice(index, index + 2).map((top) => listOf(page, top))
    const height = Math.max(...lists.map((list) => list.height))
    page.require(height)
    for (const [column, list] of lists.entries()) drawList(page, list, sheet.left + column * (width + gap), barColor)
    page.y += height + 18
  }
}

function drawList({ doc, pen, y: top }: Sheet, list: List, x: number, barColor: string): void {
  pen.write(list.title, { x, baseline: top + 9 }, styles.heading)
  pen.write(list.unit, { x: x + width, baseline: top + 9, align: 'right' }, styles.small)
  let y = top + headHeight
  for (const { lines, value, share, height } of list.rows) {
    doc.roundedRect(x, y, Math.max(4, share * width), height, 2).fill(barColor)
    for (const [row, line] of lines.entries())
      pen.write(line, { x: x + padding, baseline: y + 10.5 + row * lineHeight }, styles.row)
    pen.write(value, { x: x + width - padding, baseline: y + 10.5, align: 'right' }, styles.row)
    y += height + rowGap
  }
  if (list.note) pen.write(list.note, { x, baseline: y + 10 }, styles.small)
}
