/** Time series: Question → SQL → rows → points. Points without rows are zeros. */

import type { Point } from '@breakwater/contract/statistics/statistics.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Clause } from '../events/clause.ts'
import { queryRows } from '../events/store.ts'
import { isDenied, isRefused } from '../events/top-lists.ts'
import { fromPieces, requestTables } from './pieces.ts'
import type { SeriesQuestion, SeriesType } from './question.ts'

const ofStatus = (first: number) => `sumIf(requests, intDiv(status, 100) = ${first} AND status != 444)`

/** What each type draws: the name of each line and what it sums. */
export const seriesMeasures: Record<SeriesType, Record<string, string>> = {
  2: { pass: `sumIf(requests, NOT (${isRefused}))`, drop: `sumIf(requests, ${isRefused})` },
  12: { requests: `sumIf(requests, ${isDenied})` },
  13: { requests: `sumIf(requests, ${isRefused} AND guard = 'waf')` },
  101: { sent: 'sum(bytesSent)', received: 'sum(bytesReceived)' },
  102: {
    '2xx': ofStatus(2),
    '3xx': ofStatus(3),
    '4xx': ofStatus(4),
    '5xx': ofStatus(5),
    drop: 'sumIf(requests, status = 444)',
  },
  103: {
    hit: "sumIf(requests, cache IN ('HIT', 'STALE', 'REVALIDATED', 'UPDATING'))",
    miss: "sumIf(requests, cache IN ('MISS', 'EXPIRED'))",
    bypass: "sumIf(requests, cache IN ('BYPASS', 'DIRECT'))",
  },
  104: { requests: 'sum(originRequests)' },
}

const columns = 'time, status, cause, guard, action, cache, requests, bytesSent, bytesReceived, originRequests'

export function seriesSql({ type, scope, pieces, buckets }: SeriesQuestion): Clause {
  const source = fromPieces(requestTables, columns, pieces, scope)
  const measures = Object.entries(seriesMeasures[type]).map(([name, sum]) => `${sum} AS \`${name}\``)
  return {
    sql: `SELECT intDiv(toUnixTimestamp(time) - {origin:UInt32}, {seconds:UInt32}) AS bucket,\n  ${measures.join(',\n  ')}\nFROM ${source.sql}\nGROUP BY bucket`,
    params: { ...source.params, origin: buckets.origin, seconds: buckets.seconds },
  }
}

export async function answerSeries(events: ClickHouseClient, question: SeriesQuestion): Promise<Point[]> {
  const { scope, type, buckets, first, last } = question
  const isEmpty = scope.sites.length === 0 || first >= last
  const { sql, params } = seriesSql(question)
  const rows = isEmpty ? [] : await queryRows<Record<string, number> & { bucket: number }>(events, sql, params)
  const byBucket = new Map(rows.map(({ bucket, ...value }) => [bucket, value as Record<string, number>]))
  const zero = Object.fromEntries(Object.keys(seriesMeasures[type]).map((name) => [name, 0]))
  return Array.from({ length: Math.max(0, last - first) }, (_, i) => ({
    time: buckets.origin + (first + i) * buckets.seconds,
    value: byBucket.get(first + i) ?? zero,
  }))
}
