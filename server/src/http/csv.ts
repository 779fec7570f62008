/** CSV files: UTF-8 with BOM, streamed line by line, safe to open in a spreadsheet. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export type Cell = string | number

/** Text that a spreadsheet would run as a formula is told to be text. Numbers are our own and stay numbers. */
function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`

/** Answers with a file of lines as they come. `name` is ours: letters, digits and hyphens. */
export function sendCsv(
  reply: FastifyReply,
  name: string,
  head: string[],
  lines: Iterable<Cell[]> | AsyncIterable<Cell[]>,
) {
  async function* text() {
    yield `\uFEFF${csvLine(head)}`
    for await (const line of lines) yield csvLine(line)
  }
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${name}.csv"`)
  reply.header('cache-control', 'no-store')
  reply.send(Readable.from(text()))
}
