/** A site's logged requests in the order in which they came, in slices of a bounded size. */
import { text as textOf } from 'node:stream/consumers'
import type { BacktestBatch } from '@breakwater/contract/edge/backtest.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf } from '../events/clause.ts'
import { scopeClause } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { addressText } from '../events/top-lists.ts'
import { spanClause } from '../logs/log-rows.ts'

/** Epoch milliseconds, `toMs` exclusive. */
export type Slice = { fromMs: number; toMs: number }

export type ReadingPlan = {
  /** Rows that there are. */
  rows: number
  /** One row in so many is read. */
  oneIn: number
  slices: Slice[]
}

/** Rows of a slice: some two megabytes of text. */
const sliceRows = 20_000
/** The most that is read of a slice that turns out fuller than its minute was on average. */
const sliceRowsMax = 100_000
const minuteMs = 60_000
const questionSecondsMax = 10

const ofSite = (site: number, { fromMs, toMs }: Slice) =>
  allOf([scopeClause({ sites: [site], domains: null, zones: null }), spanClause(fromMs, toMs)])

/** Counts the rows and plans slices of about the same size. Minutes are joined, and a full one is cut. */
export async function planReading(
  events: ClickHouseClient,
  site: number,
  span: Slice,
  rowsMax: number,
): Promise<ReadingPlan> {
  const { sql, params } = ofSite(site, span)
  const minutes = await queryRows<{ minute: number; found: number }>(
    events,
    `SELECT toUnixTimestamp(toStartOfMinute(r.time)) AS minute, count() AS found FROM requests_raw_v1 AS r WHERE ${sql} GROUP BY minute ORDER BY minute`,
    params,
  )
  const rows = minutes.reduce((sum, { found }) => sum + found, 0)
  const oneIn = Math.max(1, Math.ceil(rows / rowsMax))
  const slices: Slice[] = []
  let open: (Slice & { rows: number }) | undefined
  const close = () => {
    if (open) slices.push({ fromMs: open.fromMs, toMs: open.toMs })
    open = undefined
  }
  for (const { minute, found } of minutes) {
    const kept = found / oneIn
    const fromMs = Math.max(span.fromMs, minute * 1000)
    const toMs = Math.min(span.toMs, minute * 1000 + minuteMs)
    const parts = Math.ceil(kept / sliceRows)
    if (open && open.rows + kept > sliceRows) close()
    if (parts > 1) {
      const step = Math.max(1, Math.ceil((toMs - fromMs) / parts))
      for (let at = fromMs; at < toMs; at += step) slices.push({ fromMs: at, toMs: Math.min(toMs, at + step) })
    } else open = { fromMs: open?.fromMs ?? fromMs, toMs, rows: (open?.rows ?? 0) + kept }
  }
  close()
  return { rows, oneIn, slices }
}

/** The batch's columns, and for whoever counts the action that was taken then. */
type Batch = BacktestBatch['columns']
export type LoggedColumns = [
  ...[Batch[0], Batch[1], Batch[2], Batch[3], Batch[4], Batch[5], Batch[6], Batch[7], Batch[8], Batch[9]],
  actions: string[],
]

/**
 * Reads a slice as JSON text of columns, which the lab reads as it is. A request's time is when it came, as its guards
 * saw it; the log's is when it was answered.
 */
export async function readSlice(
  events: ClickHouseClient,
  site: number,
  slice: Slice,
  oneIn: number,
): Promise<{ text: string; columns: LoggedColumns }> {
  const { sql, params } = ofSite(site, slice)
  const sampling = oneIn > 1 ? ' AND cityHash64(requestId) % {oneIn:UInt32} = 0' : ''
  const { stream } = await events.exec({
    query: `SELECT (toUnixTimestamp64Milli(r.time) - toInt64(round(requestTime))) / 1000 AS came, node, weight, method, domain,
  ${addressText} AS shownAddress, path, query, status, toUInt32(cityHash64(userAgent)) AS agent, action
FROM requests_raw_v1 AS r WHERE ${sql}${sampling} ORDER BY came LIMIT {limit:UInt32} FORMAT JSONCompactColumns`,
    query_params: { ...params, oneIn, limit: sliceRowsMax },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0, max_execution_time: questionSecondsMax },
  })
  const text = await textOf(stream)
  return { text, columns: JSON.parse(text) as LoggedColumns }
}
