/** The slow way for a batch with a broken line: parse each, keep those that are rows. One bad line must not lose the rest. */
import { CounterRow, type EventBatch, RequestRow } from '@breakwater/contract/edge/events.ts'

const rowOf = { requests: RequestRow, counters: CounterRow }

/** The lines of a batch that are rows of its kind, and how many there are. */
export function readableLines(kind: EventBatch['kind'], bytes: Buffer): { bytes: Buffer; lines: number } {
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => isRow(kind, line))
  return { bytes: Buffer.from(lines.map((line) => `${line}\n`).join('')), lines: lines.length }
}

function isRow(kind: EventBatch['kind'], line: string): boolean {
  try {
    return rowOf[kind].safeParse(JSON.parse(line)).success
  } catch {
    return false
  }
}
