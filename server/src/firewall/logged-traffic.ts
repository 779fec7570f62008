/** A site's logged requests in the order of their arrival, in slices of limited size. */
import { text as textOf } from 'node:stream/consumers'
import type { BacktestBatch } from '@breakwater/contract/edge/backtest.ts'
import { backtestRowsMax } from '@breakwater/contract/firewall/backtest.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf } from '../events/clause.ts'
import { scopeClause } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { addressText } from '../events/top-lists.ts'
import { spanClause } from '../logs/log-rows.ts'

/** Epoch milliseconds, `toMs` exclusive. */
export type Slice = { fromMs: number; toMs: number }
/** A planned slice. Each of its rows counts for `factor` rows. */
export type PlannedSlice = Slice & { factor: number }

export type ReadingPlan = {
  /** The number of rows in the span. */
  rows: number
  /** One part in this many of each stratum is read. */
  oneIn: number
  slices: PlannedSlice[]
}

type Minute = { minute: number; found: number }

/** Rows per slice: about two megabytes of text. */
const sliceRows = 20_000
/** The maximum for a slice that turns out fuller than its minute was on average. */
const sliceRowsMax = 100_000
const minuteMs = 60_000
/** Samples are taken from each stratum, so that a flood of a few minutes is a flood in the sample, too. */
const stratumMs = 5 * minuteMs
const questionSecondsMax = 10

const ofSite = (site: number, { fromMs, toMs }: Slice) =>
  allOf([scopeClause({ sites: [site], domains: null, zones: null }), spanClause(fromMs, toMs)])

/** Counts the rows and plans slices of about the same size. Above `rowsMax` rows it plans a sample. */
export async function planReading(
  events: ClickHouseClient,
  site: number,
  span: Slice,
  rowsMax = backtestRowsMax,
): Promise<ReadingPlan> {
  const { sql, params } = ofSite(site, span)
  const minutes = await queryRows<Minute>(
    events,
    `SELECT toUnixTimestamp(toStartOfMinute(r.time)) AS minute, count() AS found FROM requests_raw_v1 AS r WHERE ${sql} GROUP BY minute ORDER BY minute`,
    params,
  )
  const rows = minutes.reduce((sum, { found }) => sum + found, 0)
  const oneIn = Math.max(1, Math.ceil(rows / rowsMax))
  const slices = oneIn === 1 ? allSlices(minutes, span) : await sampledSlices(events, site, span, oneIn)
  return { rows, oneIn, slices }
}

/** Joins small minutes and splits full ones. */
function allSlices(minutes: Minute[], span: Slice): PlannedSlice[] {
  const slices: PlannedSlice[] = []
  let joined = 0
  for (const { minute, found } of minutes) {
    const fromMs = Math.max(span.fromMs, minute * 1000)
    const toMs = Math.min(span.toMs, minute * 1000 + minuteMs)
    const last = slices.at(-1)
    if (last && joined + found <= sliceRows) {
      last.toMs = toMs
      joined += found
    } else {
      slices.push(...cut({ fromMs, toMs, factor: 1 }, found))
      joined = Math.min(found, sliceRows)
    }
  }
  return slices
}

/** The complete middle of each stratum; its rows count for the whole stratum. */
async function sampledSlices(
  events: ClickHouseClient,
  site: number,
  span: Slice,
  oneIn: number,
): Promise<PlannedSlice[]> {
  const { sql, params } = ofSite(site, span)
  const width = Math.max(1, Math.round(stratumMs / oneIn))
  const begin = Math.round((stratumMs - width) / 2)
  const strata = await queryRows<{ start: number; found: number; kept: number }>(
    events,
    `WITH toUnixTimestamp64Milli(r.time) AS ms
SELECT ms - ms % {stratumMs:UInt32} AS start, count() AS found,
  countIf(ms % {stratumMs:UInt32} >= {begin:UInt32} AND ms % {stratumMs:UInt32} < {begin:UInt32} + {width:UInt32}) AS kept
FROM requests_raw_v1 AS r WHERE ${sql} GROUP BY start HAVING kept > 0 ORDER BY start`,
    { ...params, stratumMs, begin, width },
  )
  return strata.flatMap(({ start, found, kept }) => {
    const fromMs = Math.max(span.fromMs, start + begin)
    const toMs = Math.min(span.toMs, start + begin + width)
    return cut({ fromMs, toMs, factor: found / kept }, kept)
  })
}

/** Splits a slice that is too full into equal time spans. */
function cut({ fromMs, toMs, factor }: PlannedSlice, rows: number): PlannedSlice[] {
  const step = Math.max(1, Math.ceil((toMs - fromMs) / Math.max(1, Math.ceil(rows / sliceRows))))
  const slices: PlannedSlice[] = []
  for (let at = fromMs; at < toMs; at += step) slices.push({ fromMs: at, toMs: Math.min(toMs, at + step), factor })
  return slices
}

/** The batch's columns, plus the action taken at the time, for the tally. */
type Batch = BacktestBatch['columns']
export type LoggedColumns = [
  ...[Batch[0], Batch[1], Batch[2], Batch[3], Batch[4], Batch[5], Batch[6], Batch[7], Batch[8], Batch[9]],
  ...[country: Batch[10], userAgent: Batch[11], referer: Batch[12], asn: Batch[13], bot: Batch[14]],
  actions: string[],
]

const noRows: LoggedColumns = [[], [], [], [], [], [], [], [], [], [], [], [], [], [], [], []]

/**
 * Reads a slice as JSON text of columns, which is passed to the lab unchanged. The time of a request is when it
 * arrived, as its guards saw it; the log has the time of the response. Headers are most of a slice's bytes, so they are
 * read only if `hasHeaders`.
 */
export async function readSlice(
  events: ClickHouseClient,
  site: number,
  slice: Slice,
  hasHeaders = false,
): Promise<{ text: string; columns: LoggedColumns }> {
  const { sql, params } = ofSite(site, slice)
  const { stream } = await events.exec({
    query: `SELECT (toUnixTimestamp64Milli(r.time) - toInt64(round(requestTime))) / 1000 AS came, node, weight, method, domain,
  ${addressText} AS shownAddress, path, query, status, toUInt32(cityHash64(userAgent)) AS agent, country, ${hasHeaders ? 'userAgent, referer' : "'' AS userAgent, '' AS referer"}, asn, bot, action
FROM requests_raw_v1 AS r WHERE ${sql} ORDER BY came LIMIT {limit:UInt32} FORMAT JSONCompactColumns`,
    query_params: { ...params, limit: sliceRowsMax },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0, max_execution_time: questionSecondsMax },
  })
  const text = await textOf(stream)
  const columns = JSON.parse(text) as LoggedColumns | []
  // Without rows, an engine may omit the columns too.
  return columns.length === 0 ? { text: JSON.stringify(noRows), columns: noRows } : { text, columns }
}
