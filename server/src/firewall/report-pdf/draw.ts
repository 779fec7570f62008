/** Draws the report's PDF, from its header to the page numbers. Lengths are in points. */
import { paletteOf } from '@breakwater/contract/brand/colour.ts'
import { tagOf } from '@breakwater/contract/phrases.ts'
import PDFDocument from 'pdfkit'
import { drawChart } from './chart.ts'
import type { Content } from './content.ts'
import { drawFigures } from './figures.ts'
import { Fonts, type Weight } from './fonts.ts'
import { colors, sheet, styles } from './look.ts'
import { Pen } from './pen.ts'
import { Sheet } from './sheet.ts'
import { drawTops } from './tops.ts'

const chartHeight = 134

/**
 * The texts of each weight, as JSON: its punctuation is in the Latin font anyway. Page numbers are added to the plain
 * text.
 */
const textsOf = (content: Content): Record<Weight, string> => {
  const { brand, title, figures, course, done, tops } = content
  const headings = [brand, title, course.title, done.title, ...tops.map((top) => top.title)]
  return {
    plain: `${JSON.stringify(content)} 0123456789`,
    strong: JSON.stringify([headings, figures.map(({ value }) => value)]),
  }
}

export async function drawReport(content: Content): Promise<Uint8Array> {
  const { locale, brand, title } = content
  const fonts = await Fonts.load(locale, textsOf(content))
  const doc = new PDFDocument({
    ...{ size: 'A4', margin: 0, bufferPages: true, lang: tagOf(locale), displayTitle: true },
    info: { Title: title, Author: brand },
  })
  const parts: Buffer[] = []
  doc.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise<void>((resolve, reject) => doc.once('end', resolve).once('error', reject))
  const page = new Sheet(doc, new Pen(doc, fonts))
  const palette = content.accent ? paletteOf(content.accent) : colors
  drawTitle(page, content)
  drawFigures(page, content.figures)
  drawCourse(page, content)
  drawDone(page, content)
  drawTops(page, content.tops, palette.accentBg)
  drawMargins(page, content, palette.accent)
  doc.end()
  await ended
  return new Uint8Array(Buffer.concat(parts))
}

function drawTitle(page: Sheet, { title, about, warning }: Content): void {
  page.paragraph(title, styles.title, { linesMax: 3, height: 22 })
  page.y += 4
  page.paragraph(about, styles.text, { linesMax: 8, height: 14 })
  if (warning) page.paragraph(warning, styles.warning, { linesMax: 3, height: 14 })
  page.y += 12
}

function drawCourse(page: Sheet, { course }: Content): void {
  page.require(chartHeight + 30)
  const { doc, pen, y } = page
  pen.write(course.title, { x: sheet.left, baseline: y + 9 }, styles.heading)
  let x: number = sheet.right
  for (const [text, color] of [
    [course.stopped, colors.drop],
    [course.passed, colors.pass],
  ] as const) {
    pen.write(text, { x, baseline: y + 9, align: 'right' }, styles.small)
    x -= pen.width(text, styles.small) + 11
    doc.rect(x, y + 3, 7, 7).fill(color)
    x -= 12
  }
  drawChart(doc, pen, course, { x: sheet.left, y: y + 22, width: sheet.width, height: chartHeight })
  page.y += chartHeight + 36
}

function drawDone(page: Sheet, { done }: Content): void {
  page.require(40)
  page.pen.write(done.title, { x: sheet.left, baseline: page.y + 9 }, styles.heading)
  page.y += 17
  for (const line of done.lines) {
    page.require(14)
    page.doc.circle(sheet.left + 3, page.y + 7, 1.5).fill(colors.ink3)
    page.paragraph(line, styles.text, { linesMax: 2, height: 14, indent: 12 })
  }
  page.y += 16
}

/** Draws header, footer and page number of every page, once the number of pages is known. */
function drawMargins({ doc, pen }: Sheet, { brand, kind, foot }: Content, accent: string): void {
  const { start, count } = doc.bufferedPageRange()
  const { left, right, width, head, foot: end } = sheet
  const named = { size: 11, color: accent, weight: 'strong' } as const
  const footLines = pen.lines(foot, width - 50, 3, styles.small)
  for (let index = 0; index < count; index++) {
    doc.switchToPage(start + index)
    doc.rect(0, 0, doc.page.width, 5).fill(accent)
    for (const line of pen.lines(brand, width / 2, 1, named)) pen.write(line, { x: left, baseline: head }, named)
    pen.write(kind, { x: right, baseline: head, align: 'right' }, styles.small)
    rule(doc, head + 9)
    rule(doc, end - 10)
    for (const [row, line] of footLines.entries())
      pen.write(line, { x: left, baseline: end + 3 + row * 11 }, styles.small)
    pen.write(`${index + 1} / ${count}`, { x: right, baseline: end + 3, align: 'right' }, styles.small)
  }
}

const rule = (doc: PDFKit.PDFDocument, y: number): void => {
  doc.moveTo(sheet.left, y).lineTo(sheet.right, y).lineWidth(0.6).stroke(colors.line)
}
