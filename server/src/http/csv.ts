/** CSV files: UTF-8 with BOM, streamed line by line, safe to open in a spreadsheet. */
import { Readable } from 'node:stream'
import { type Cell, csvLine } from '@breakwater/contract/csv.ts'
import type { FastifyReply } from 'fastify'

export type CsvFile = {
  /** Chosen by us: letters, digits and hyphens. */
  name: string
  head: string[]
  lines: Iterable<Cell[]> | AsyncIterable<Cell[]>
  /** Called once, whether the file was sent completely, was aborted, or was never sent. */
  onClose?: () => Promise<void>
}

/** Sends a file, streaming its lines as they are produced. */
export function sendCsv(reply: FastifyReply, { name, head, lines, onClose }: CsvFile): void {
  async function* text() {
    yield `\uFEFF${csvLine(head)}`
    for await (const line of lines) yield csvLine(line)
  }
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${name}.csv"`)
  reply.header('cache-control', 'no-store')
  const stream = Readable.from(text())
  // Not in the generator: one that was never started does not run its `finally`.
  if (onClose) stream.once('close', () => onClose().catch((error: unknown) => reply.log.error({ err: error }, 'file')))
  reply.send(stream)
}
