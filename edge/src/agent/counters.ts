/** Sums the counters that nginx writes every second to whole minutes. Pure: lines in, sums in memory, rows out. */
import { CounterRow } from '@breakwater/contract/edge/events.ts'

/** A minute is closed this long after its end: nginx has then written all of it. */
const GRACE_SECONDS = 5
/** Minutes further ahead come from a clock that was set back since; they are not waited for. */
const AHEAD_SECONDS = 3600

export type Sums = Map<string, CounterRow>

const keyOf = ({ minute, node, zone, site, status, cause, cache }: CounterRow) =>
  [minute, node, zone, site, status, cause, cache].join(' ')

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

/** Takes the closed minutes out. */
export function takeClosed(sums: Sums, now: number): CounterRow[] {
  const closed = [...sums].filter(
    ([, { minute }]) => minute + 60 + GRACE_SECONDS <= now || minute > now + AHEAD_SECONDS,
  )
  for (const [key] of closed) sums.delete(key)
  return closed.map(([, row]) => row)
}

function parse(line: string): CounterRow | undefined {
  try {
    return CounterRow.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
