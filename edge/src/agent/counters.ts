/** Sums the counters that nginx writes every second, by their minutes. Pure: lines in, sums in memory, rows out. */
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

/** Adds the deltas of these lines; says how many lines were no counters. */
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

/** Takes all sums out: what comes later, of their minutes too, is told by itself. */
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
