/** Top lists: Question → SQL → rows. Closed hours come from their lists, the rest of the range from raw rows. */
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf, type Clause } from '../events/clause.ts'
import { scopeClause } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { isRefused, type TopList, topLists } from '../events/top-lists.ts'
import { fromPieces, rangeClause, requestTables } from './pieces.ts'
import type { TopQuestion, TopType } from './question.ts'
import { hourPieces, type Range } from './range.ts'

/** Where each type is read: a list, or a column of the rollups; null where nothing feeds it yet (no city is known). */
const sources: Record<TopType, { list: TopList } | { column: 'guard' | 'domain' } | null> = {
  11: { list: 'country' },
  12: null,
  14: { list: 'referer' },
  18: { list: 'deniedAddress' },
  19: { list: 'url' },
  20: { list: 'userAgent' },
  21: { list: 'refusedCountry' },
  22: null,
  23: { column: 'guard' },
  24: { column: 'domain' },
  25: { list: 'refusedAddress' },
}

export type Top = { name: string; value: number }

export async function answerTop(events: ClickHouseClient, question: TopQuestion): Promise<Top[]> {
  const source = sources[question.type]
  if (source === null || question.scope.sites.length === 0) return []
  const { sql, params } =
    'column' in source
      ? columnTopSql(question, source.column)
      : listTopSql(question, source.list, await closedRanges(events, question.range))
  return queryRows<Top>(events, sql, params)
}

const ranked = (by: TopQuestion['by'], source: string) =>
  `SELECT name, sum(${by}) AS value\nFROM ${source}\nGROUP BY name HAVING value > 0\nORDER BY value DESC, name\nLIMIT {top:UInt32}`

/** Refused requests by a column that the rollups have. */
export function columnTopSql({ scope, range, top, by }: TopQuestion, column: 'guard' | 'domain'): Clause {
  const source = fromPieces(requestTables, `${column} AS name, action, requests, bytesSent`, hourPieces(range), scope)
  const refused = `(SELECT name, requests, bytesSent FROM ${source.sql} WHERE ${isRefused})`
  return { sql: ranked(by, refused), params: { ...source.params, top } }
}

/** The whole hours of a range that are closed, joined where they touch. */
async function closedRanges(events: ClickHouseClient, range: Range): Promise<Range[]> {
  const whole = hourPieces(range).find((piece) => piece.rollup === 'hour')
  if (!whole) return []
  const within = rangeClause(whole, '')
  const rows = await queryRows<{ hour: number }>(
    events,
    `SELECT DISTINCT toUnixTimestamp(time) AS hour FROM hours_closed_v1 WHERE ${within.sql} ORDER BY hour`,
    within.params,
  )
  const ranges: Range[] = []
  for (const { hour } of rows) {
    const before = ranges.at(-1)
    if (before?.to === hour) before.to = hour + 3600
    else ranges.push({ from: hour, to: hour + 3600 })
  }
  return ranges
}

/** What of a range lies outside of sorted ranges in it. */
export function gapsBetween(range: Range, covered: Range[]): Range[] {
  const edges = [range.from, ...covered.flatMap(({ from, to }) => [from, to]), range.to]
  const gaps = Array.from({ length: edges.length / 2 }, (_, i) => ({ from: edges[2 * i]!, to: edges[2 * i + 1]! }))
  return gaps.filter(({ from, to }) => from < to)
}

/** Names of a list: of closed hours as they were last closed, of the rest as the raw rows have them. */
export function listTopSql({ scope, range, top, by }: TopQuestion, list: TopList, closed: Range[]): Clause {
  const within = scopeClause(scope)
  const { name, of } = topLists[list]
  const kept = closed.map((piece, i) => {
    const where = allOf([within, rangeClause(piece, `Closed${i}`)])
    const builds = `SELECT time, max(build) FROM hours_closed_v1 WHERE ${rangeClause(piece, `Closed${i}`).sql} GROUP BY time`
    const sql = `SELECT name, requests, bytesSent FROM tops_per_hour_v1\n  WHERE list = '${list}' AND ${where.sql} AND (time, build) IN (${builds})`
    return { sql, params: where.params }
  })
  const raw = gapsBetween(range, closed).map((piece, i) => {
    const where = allOf([within, rangeClause(piece, `Raw${i}`)])
    const sql = `SELECT ${name} AS name, weight AS requests, bytesSent * weight AS bytesSent FROM requests_raw_v1\n  WHERE ${where.sql} AND ${of}`
    return { sql, params: where.params }
  })
  const parts = [...kept, ...raw]
  const source = `(\n  ${parts.map((part) => part.sql).join('\n  UNION ALL\n  ')}\n)`
  return { sql: ranked(by, source), params: Object.assign({ top }, ...parts.map((part) => part.params)) }
}
