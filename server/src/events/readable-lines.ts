/**
 * The slow path for a batch with a broken line: parses each line and keeps the valid rows. One bad line must not lose
 * the others.
 */
import { CounterRow, type EventBatch, RequestRow } from '@breakwater/contract/edge/events.ts'
import { rowOfLine, todaysLine } from '@breakwater/contract/edge/row-lines.ts'

const rowOf = { requests: RequestRow, counters: CounterRow }
type Kind = Pick<EventBatch, 'kind' | 'form'>

/**
 * The lines of a batch that are valid rows of its kind, and their number. Decoded as latin1, so that no byte changes.
 */
export function readableLines(batch: Kind, bytes: Buffer): { bytes: Buffer; lines: number } {
  const lines = bytes
    .toString('latin1')
    .split('\n')
    .filter((line) => isRow(batch, line))
    .map((line) => (batch.form === 'lines' ? todaysLine(line)! : line))
  return { bytes: Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1'), lines: lines.length }
}

function isRow({ kind, form }: Kind, line: string): boolean {
  try {
    const row = form === 'lines' ? rowOfLine(line) : JSON.parse(Buffer.from(line, 'latin1').toString('utf8'))
    return rowOf[kind].safeParse(row).success
  } catch {
    return false
  }
}
