/**
 * The INSERT of each kind of batch. Rows are read as what a node writes and stored as what the tables hold; node, zone
 * and boot are those of the connection, and rows of other sites than the ones allowed, or of an impossible time, are left out.
 */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EventBatch } from '@breakwater/contract/edge/events.ts'
import { rowColumns, rowMark, rowMarksBefore } from '@breakwater/contract/edge/row-lines.ts'
import type { ClickHouseSettings } from '@clickhouse/client'

/** Rows older than the raw table keeps, or from the future, would only open partitions to be dropped. */
const keptSeconds = 30 * 86_400
const aheadSeconds = 3_600

/**
 * What is read of a row. Texts are read as such where the table has LowCardinality: the reader makes a column for every such
 * value of a row, while a block of texts is converted at once.
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

/** `read` says how a column is read that is not stored as it was sent, `kept` which rows are. */
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

/** Of nodes of before. */
const requests = requestsFrom(
  `time Float64, site UInt64, address String, weight UInt32, ${typed(columnTypes.requests)}`,
  {},
  'JSONEachRow',
)

/** A number in such a line ends behind a leading zero, and nginx writes three digits of a status. */
const lineTypes: Record<string, string> = { ...columnTypes.requests, ...inputTypes, status: 'String' }
/** nginx writes a dash where there was no such header. */
const lineReads = { status: 'toUInt16OrZero(status)', contentType: "if(contentType = '-', '', contentType)" }

/** The statements of lines that begin with a mark and have these values. */
function lineStatements(mark: string, columns: (keyof typeof lineTypes)[]) {
  const structure = `mark String, ${columns.map((name) => `${name} ${lineTypes[name]}`).join(', ')}`
  const missing = rowColumns.filter((name) => !columns.includes(name))
  const reads = { ...lineReads, ...Object.fromEntries(missing.map((name) => [name, emptyOf(name)])) }
  return {
    looked: requestsFrom(structure, reads, 'TabSeparated'),
    // Nobody looked at the lines before: those that are not the node's are left out, and what is behind the last one that it told of.
    packed: requestsFrom(
      structure,
      reads,
      'TabSeparated',
      ` AND mark = '${mark}' AND node = {node:UInt32}`,
      `(SELECT * FROM input('${structure}') LIMIT {rows:UInt32})`,
    ),
  }
}

/** What lines of before do not say. */
const emptyOf = (name: string) => (lineTypes[name] === 'String' ? "''" : '0')
const statementsOf = Object.fromEntries(
  Object.entries({ ...rowMarksBefore, [rowMark]: rowColumns.length }).map(([mark, values]) => [
    mark,
    lineStatements(mark, rowColumns.slice(0, values)),
  ]),
)

/** Nodes of before do not say what was done: it is told from the cause, though what was only observed counts as refused. */
const doneOf = `if(action != '', action, multiIf(cause = 0, 'pass', cause = ${causes.challenge}, 'challenge', 'block'))`

const counters = `INSERT INTO counters_per_minute_v1 (minute, node, zone, site, status, cause, cache, action, boot, sequence, ${names(columnTypes.sums)})
SELECT toDateTime(start, 'UTC'), {node:UInt32}, {zone:UInt32}, site, status, cause, cache, done,
  {boot:String}, {sequence:UInt64}, sum(requests), sum(bytesSent), sum(bytesReceived), sum(originRequests)
FROM input('minute UInt64, site UInt64, status UInt16, cause UInt16, cache String, action String, ${typed(columnTypes.sums)}')
WHERE site IN {sites:Array(UInt64)} AND minute BETWEEN {from:Float64} AND {to:Float64}
GROUP BY intDiv(minute, 60) * 60 AS start, site, status, cause, cache, ${doneOf} AS done
FORMAT JSONEachRow`

/** The statement that stores a batch, whose lines begin with `mark`; of lines that come packed, it takes `rows` of them at most. */
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
  // A block that is dropped in the raw table is still offered to the rollups, which may have missed it.
  deduplicate_blocks_in_dependent_materialized_views: 1,
  // One insert runs at a time and batches are small: threads would only cost.
  input_format_parallel_parsing: 0,
  max_threads: 1,
}

/** Lines that are stored unseen may be as long as they like: the memory that reading them takes is bounded instead. */
export const packedSettings: ClickHouseSettings = { max_memory_usage: '500000000' }

/** The time span, in epoch seconds, that rows may be from. */
export function acceptedSpan(nowSeconds: number): { from: number; to: number } {
  return { from: nowSeconds - keptSeconds, to: nowSeconds + aheadSeconds }
}
