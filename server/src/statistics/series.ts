/**
 * Time series: Question → SQL → rows → points. Points without rows are zero; a step without any data yet has no point.
 */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { Point } from '@breakwater/contract/statistics/statistics.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Clause } from '../events/clause.ts'
import { queryRows } from '../events/store.ts'
import { isDenied, isRefused } from '../events/top-lists.ts'
import { bytesIf, hits, measureColumns, named, passed, requestsIf } from './measures.ts'
import { requestSource } from './pieces.ts'
import type { SeriesQuestion, SeriesType } from './question.ts'

const ofClass = (first: number) => requestsIf(`intDiv(code, 100) = ${first} AND code != ${causes.drop}`)

/** The lines of each type: their names and what they sum. */
export const seriesMeasures: Record<SeriesType, Record<string, string>> = {
  2: { pass: requestsIf(passed), drop: requestsIf(isRefused) },
  12: { requests: requestsIf(isDenied) },
  13: {
    block: requestsIf("action = 'block' AND guard = 'waf'"),
    challenge: requestsIf("action = 'challenge' AND guard = 'waf'"),
    observe: requestsIf("action = 'observe' AND guard = 'waf'"),
  },
  101: { sent: 'sum(bytesSent)', received: 'sum(bytesReceived)' },
  102: {
    '2xx': ofClass(2),
    '3xx': ofClass(3),
    '4xx': ofClass(4),
    '5xx': ofClass(5),
    '9xx': ofClass(9),
    '444': requestsIf(`code = ${causes.drop}`),
  },
  103: {
    hit: hits,
    miss: requestsIf("cache IN ('MISS', 'EXPIRED')"),
    bypass: requestsIf("cache IN ('BYPASS', 'DIRECT')"),
  },
  104: { requests: 'sum(originRequests)' },
  105: { pass: bytesIf(passed), drop: bytesIf(isRefused) },
  106: { pass: requestsIf(passed), drop: requestsIf(isRefused) },
}

/** Types shown per second: each sum times this factor, divided by the seconds that the bucket covers. */
const perSecond: Partial<Record<SeriesType, number>> = { 105: 8, 106: 1 }

export function seriesSql({ type, pieces, buckets, ...asked }: SeriesQuestion): Clause {
  const source = requestSource(measureColumns, pieces, asked)
  return {
    sql: `SELECT intDiv(toUnixTimestamp(time) - {origin:UInt32}, {seconds:UInt32}) AS bucket,\n  ${named(seriesMeasures[type])}\nFROM ${source.sql}\nGROUP BY bucket`,
    params: { ...source.params, origin: buckets.origin, seconds: buckets.seconds },
  }
}

/** A step that is still filling is shown once this many seconds of it are complete. */
const toldFromSeconds = 15

/**
 * `until`: epoch seconds up to which the numbers are complete. Rates of the step that contains it cover only the
 * seconds before.
 */
export async function answerSeries(
  events: ClickHouseClient,
  question: SeriesQuestion,
  until = question.range.to,
): Promise<Point[]> {
  const { scope, type, buckets, first, nowMs, range } = question
  const isKnown = (bucket: number) => {
    const time = buckets.origin + bucket * buckets.seconds
    return time + buckets.seconds <= nowMs / 1000 || until - Math.max(time, range.from) >= toldFromSeconds
  }
  let { last } = question
  while (last > first && !isKnown(last - 1)) last--
  const isEmpty = scope.sites.length === 0 || first >= last
  const { sql, params } = seriesSql(question)
  const rows = isEmpty ? [] : await queryRows<Record<string, number> & { bucket: number }>(events, sql, params)
  const byBucket = new Map(rows.map(({ bucket, ...value }) => [bucket, value as Record<string, number>]))
  const zero = Object.fromEntries(Object.keys(seriesMeasures[type]).map((name) => [name, 0]))
  const factor = perSecond[type]
  return Array.from({ length: Math.max(0, last - first) }, (_, i) => {
    const time = buckets.origin + (first + i) * buckets.seconds
    const sums = byBucket.get(first + i) ?? zero
    const end = Math.min(time + buckets.seconds, range.to)
    const isFilling = end > nowMs / 1000
    const covered = (isFilling ? Math.min(end, until) : end) - Math.max(time, range.from)
    return { time, value: factor === undefined ? sums : rates(sums, factor / Math.max(1, covered)) }
  })
}

const rates = (sums: Record<string, number>, factor: number) =>
  Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, Math.round(sum * factor * 100) / 100]))
