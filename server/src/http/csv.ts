/** CSV files: UTF-8 with BOM, streamed line by line, safe to open in a spreadsheet. */
import { Readable } from 'node:stream'
import { type Cell, csvLine } from '@breakwater/contract/csv.ts'
import type { FastifyReply } from 'fastify'

export type CsvFile = {
  /** Ours: letters, digits and hyphens. */
  name: string
  head: string[]
  lines: Iterable<Cell[]> | AsyncIterable<Cell[]>
  /** Called once, whether the file was read to its end, broke off, or was never sent. */
  onClose?: () => Promise<void>
}

/** Answers with a file of lines as they come. */
export function sendCsv(reply: FastifyReply, { name, head, lines, onClose }: CsvFile): void {
  async function* text() {
    yield `\uFEFF${csvLine(head)}`
    for await (const line of lines) yield csvLine(line)
  }
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${name}.csv"`)
  reply.header('cache-control', 'no-store')
  const stream = Readable.from(text())
  // Not in the generator: one that was never started runs no `finally`.
  if (onClose) stream.once('close', () => onClose().catch((error: unknown) => reply.log.error({ err: error }, 'file')))
  reply.send(stream)
}
