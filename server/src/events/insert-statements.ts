/**
 * The INSERT for each kind of batch, from what a node writes to what the tables store. Node, zone and boot are those of
 * the connection. Rows of other sites than the allowed ones, or with an impossible time, are dropped.
 */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EventBatch } from '@breakwater/contract/edge/events.ts'
import { rowColumns, rowMark, rowMarksBefore } from '@breakwater/contract/edge/row-lines.ts'
import type { ClickHouseSettings } from '@clickhouse/client'

/** Rows from the future, or older than the raw table keeps, would only create partitions to be dropped. */
const keptSeconds = 30 * 86_400
const aheadSeconds = 3_600

/**
 * The types in which columns are read. Texts are read as String even if the table has LowCardinality: the reader would
 * create such a column for every value of a row, while a block of texts is converted at once.
 */
const columnTypes = {
  requests: {
    revision: 'UInt32',
    requestId: 'String',
    domain: 'String',
    country: 'String',
    asn: 'UInt32',
    bot: 'String',
    method: 'String',
    scheme: 'String',
    httpVersion: 'String',
    path: 'String',
    query: 'String',
    status: 'UInt16',
    cause: 'UInt16',
    guard: 'String',
    rule: 'UInt32',
    action: 'String',
    wafScore: 'UInt32',
    waf: 'String',
    wafShadow: 'String',
    cache: 'String',
    route: 'String',
    bytesSent: 'UInt64',
    bytesReceived: 'UInt64',
    requestTime: 'Float32',
    originTime: 'Float32',
    originAddress: 'String',
    originStatus: 'UInt16',
    originFailure: 'String',
    referer: 'String',
    userAgent: 'String',
    contentType: 'String',
  },
  sums: { requests: 'UInt64', bytesSent: 'UInt64', bytesReceived: 'UInt64', originRequests: 'UInt64' },
} as const

const names = (columns: object) => Object.keys(columns).join(', ')
const typed = (columns: object) =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')

const inputTypes = {
  time: 'Float64',
  node: 'UInt32',
  zone: 'UInt32',
  site: 'UInt64',
  address: 'String',
  weight: 'UInt32',
}

/** `read` has the expressions of columns that are not stored as sent; `kept` filters the rows. */
const requestsFrom = (
  structure: string,
  read: Record<string, string>,
  format: string,
  kept = '',
  from = `input('${structure}')`,
) =>
  `INSERT INTO requests_raw_v1 (time, node, zone, batch, site, address, weight, ${names(columnTypes.requests)})
SELECT fromUnixTimestamp64Milli(toInt64(round(time * 1000)), 'UTC'), {node:UInt32}, {zone:UInt32}, {sequence:UInt64}, site,
  toIPv6OrDefault(address), greatest(weight, 1), ${Object.keys(columnTypes.requests)
    .map((name) => read[name] ?? name)
    .join(', ')}
FROM ${from}
WHERE site IN {sites:Array(UInt64)} AND time BETWEEN {from:Float64} AND {to:Float64}${kept}
FORMAT ${format}`

/** For older nodes. */
const requests = requestsFrom(
  `time Float64, site UInt64, address String, weight UInt32, ${typed(columnTypes.requests)}`,
  {},
  'JSONEachRow',
)

/** Numbers in such lines cannot have leading zeros, but nginx writes three digits of a status. */
const lineTypes: Record<string, string> = { ...columnTypes.requests, ...inputTypes, status: 'String' }
/** nginx writes a dash for a missing header. */
const lineReads = { status: 'toUInt16OrZero(status)', contentType: "if(contentType = '-', '', contentType)" }

/** The statements for lines that begin with a mark and have these values. */
function lineStatements(mark: string, columns: (keyof typeof lineTypes)[]) {
  const structure = `mark String, ${columns.map((name) => `${name} ${lineTypes[name]}`).join(', ')}`
  const missing = rowColumns.filter((name) => !columns.includes(name))
  const reads = { ...lineReads, ...Object.fromEntries(missing.map((name) => [name, emptyOf(name)])) }
  return {
    looked: requestsFrom(structure, reads, 'TabSeparated'),
    // These lines were not scanned: lines that are not the node's, or beyond the number it declared, are dropped.
    packed: requestsFrom(
      structure,
      reads,
      'TabSeparated',
      ` AND mark = '${mark}' AND node = {node:UInt32}`,
      `(SELECT * FROM input('${structure}') LIMIT {rows:UInt32})`,
    ),
  }
}

/** The default for values that older lines lack. */
const emptyOf = (name: string) => (lineTypes[name] === 'String' ? "''" : '0')
const statementsOf = Object.fromEntries(
  Object.entries({ ...rowMarksBefore, [rowMark]: rowColumns.length }).map(([mark, values]) => [
    mark,
    lineStatements(mark, rowColumns.slice(0, values)),
  ]),
)

/**
 * Older nodes do not send the action: it is derived from the cause, although rules in observe mode then count as
 * blocks.
 */
const doneOf = `if(action != '', action, multiIf(cause = 0, 'pass', cause = ${causes.challenge}, 'challenge', 'block'))`

const counters = `INSERT INTO counters_per_minute_v1 (minute, node, zone, site, status, cause, cache, action, boot, sequence, ${names(columnTypes.sums)})
SELECT toDateTime(start, 'UTC'), {node:UInt32}, {zone:UInt32}, site, status, cause, cache, done,
  {boot:String}, {sequence:UInt64}, sum(requests), sum(bytesSent), sum(bytesReceived), sum(originRequests)
FROM input('minute UInt64, site UInt64, status UInt16, cause UInt16, cache String, action String, ${typed(columnTypes.sums)}')
WHERE site IN {sites:Array(UInt64)} AND minute BETWEEN {from:Float64} AND {to:Float64}
GROUP BY intDiv(minute, 60) * 60 AS start, site, status, cause, cache, ${doneOf} AS done
FORMAT JSONEachRow`

/**
 * The statement that stores a batch whose lines begin with `mark`. Compressed lines are limited to the `rows`
 * parameter.
 */
export function insertStatement(
  { kind, form }: Pick<EventBatch, 'kind' | 'form'>,
  isPacked = false,
  mark: string = rowMark,
): string {
  if (kind === 'counters') return counters
  if (form !== 'lines') return requests
  const { packed, looked } = statementsOf[mark]!
  return isPacked ? packed : looked
}

export const insertSettings: ClickHouseSettings = {
  // A block dropped in the raw table is still offered to the rollups, which may have missed it.
  deduplicate_blocks_in_dependent_materialized_views: 1,
  // Only one insert runs at a time and batches are small: threads would only add cost.
  input_format_parallel_parsing: 0,
  max_threads: 1,
}

/** Unscanned lines may have any length, so the memory for reading them is limited instead. */
export const packedSettings: ClickHouseSettings = { max_memory_usage: '500000000' }

/** The accepted time span of rows, in epoch seconds. */
export function acceptedSpan(nowSeconds: number): { from: number; to: number } {
  return { from: nowSeconds - keptSeconds, to: nowSeconds + aheadSeconds }
}
