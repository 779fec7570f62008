/** Sums the counters that nginx writes every second by minute. Pure: lines in, sums in memory, rows out. */
import { CounterRow } from '@breakwater/contract/edge/events.ts'

export type Sums = Map<string, CounterRow>

const keyOf = ({ minute, node, zone, site, status, cause, cache, action }: CounterRow) =>
  [minute, node, zone, site, status, cause, cache, action].join(' ')

function addRow(sums: Sums, row: CounterRow): void {
  const sum = sums.get(keyOf(row))
  if (!sum) sums.set(keyOf(row), row)
  else {
    sum.requests += row.requests
    sum.bytesSent += row.bytesSent
    sum.bytesReceived += row.bytesReceived
    sum.originRequests += row.originRequests
  }
}

export function sumRows(rows: readonly CounterRow[]): Sums {
  const sums: Sums = new Map()
  for (const row of rows) addRow(sums, { ...row })
  return sums
}

/** Adds the deltas of these lines. Returns how many lines were not counters. */
export function addLines(sums: Sums, ndjson: Buffer): number {
  let bad = 0
  for (const line of ndjson.toString('utf8').split('\n')) {
    if (line === '') continue
    const row = parse(line)
    if (row) addRow(sums, row)
    else bad++
  }
  return bad
}

/** Removes and returns all sums. Later deltas, even of the same minutes, are returned separately. */
export function takeAll(sums: Sums): CounterRow[] {
  const rows = [...sums.values()]
  sums.clear()
  return rows
}

function parse(line: string): CounterRow | undefined {
  try {
    return CounterRow.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
