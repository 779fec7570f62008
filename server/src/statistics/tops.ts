/** Top lists: Question → SQL → rows. Closed hours come from their lists, the rest of the range from raw rows. */
import { topTypes } from '@breakwater/contract/statistics/statistics.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { networkLabel, networkNamesOf } from '../address-data/network-names.ts'
import type { Database } from '../db/database.ts'
import { allOf, type Clause } from '../events/clause.ts'
import { queryRows } from '../events/store.ts'
import { isRefused, listsVersion, type TopList, topLists } from '../events/top-lists.ts'
import { withDays } from './days.ts'
import { codeColumn } from './measures.ts'
import { askedClause, rangeClause, requestSource } from './pieces.ts'
import type { TopQuestion, TopType } from './question.ts'
import { hourPieces, type Piece, type Range } from './range.ts'

/** A column of the rollups, as text, and which rows count. */
type ColumnTop = { column: string; of: string }
const everyRequest = 'true'

/**
 * The source of each type: a list, or a column of the rollups; null if there is no data for it (cities are unknown).
 */
const sources: Record<TopType, { list: TopList } | ColumnTop | null> = {
  11: { list: 'country' },
  12: null,
  14: { list: 'referer' },
  18: { list: 'deniedAddress' },
  19: { list: 'url' },
  20: { list: 'userAgent' },
  21: { list: 'refusedCountry' },
  22: null,
  23: { column: 'guard', of: isRefused },
  24: { column: 'domain', of: isRefused },
  25: { list: 'refusedAddress' },
  101: { list: 'method' },
  102: { list: 'httpVersion' },
  103: { list: 'scheme' },
  104: { column: 'toString(code)', of: everyRequest },
  105: { column: 'domain', of: everyRequest },
  106: { column: 'cache', of: "cache != ''" },
  107: { list: 'address' },
  108: { list: 'network' },
}

export type Top = { name: string; value: number; label?: string }

/** Networks with their names. */
export async function answerLabelled(events: ClickHouseClient, db: Database, question: TopQuestion): Promise<Top[]> {
  const rows = await answerTop(events, question)
  if (question.type !== topTypes.network) return rows
  const names = await networkNamesOf(db, question.scope.sites)
  return rows.map((row) => ({ ...row, label: networkLabel(names, Number(row.name)) }))
}

export async function answerTop(events: ClickHouseClient, question: TopQuestion): Promise<Top[]> {
  const source = sources[question.type]
  if (source === null || question.scope.sites.length === 0) return []
  const { sql, params } =
    'column' in source
      ? columnTopSql(question, source, await withDays(events, hourPieces(question.range), question))
      : listTopSql(question, source.list, await closedRanges(events, question))
  return queryRows<Top>(events, sql, params)
}

const ranked = (by: TopQuestion['by'], source: string) =>
  `SELECT name, sum(${by}) AS value\nFROM ${source}\nGROUP BY name HAVING value > 0\nORDER BY value DESC, name\nLIMIT {top:UInt32}`

/** Requests by a column that the rollups have. */
export function columnTopSql({ top, by, ...asked }: TopQuestion, { column, of }: ColumnTop, pieces: Piece[]): Clause {
  const columns = `domain, guard, cache, action, ${codeColumn}, requests, bytesSent`
  const source = requestSource(columns, pieces, asked)
  const picked = `(SELECT ${column} AS name, requests, bytesSent FROM ${source.sql} WHERE ${of})`
  return { sql: ranked(by, picked), params: { ...source.params, top } }
}

/** The whole hours of a range that are closed, merged if adjacent. Lists store domains; other filters need the rows. */
async function closedRanges(events: ClickHouseClient, { range, narrowing }: TopQuestion): Promise<Range[]> {
  if (narrowing.reads !== 'visitors') return []
  const whole = hourPieces(range).find((piece) => piece.rollup === 'hour')
  if (!whole) return []
  const within = rangeClause(whole, '')
  const rows = await queryRows<{ hour: number }>(
    events,
    `SELECT toUnixTimestamp(time) AS hour FROM hours_closed_v1 WHERE ${within.sql}
     GROUP BY time HAVING argMax(lists, build) = {lists:UInt16} ORDER BY hour`,
    { ...within.params, lists: listsVersion },
  )
  const ranges: Range[] = []
  for (const { hour } of rows) {
    const before = ranges.at(-1)
    if (before?.to === hour) before.to = hour + 3600
    else ranges.push({ from: hour, to: hour + 3600 })
  }
  return ranges
}

/** The gaps of a range that sorted ranges within it do not cover. */
export function gapsBetween(range: Range, covered: Range[]): Range[] {
  const edges = [range.from, ...covered.flatMap(({ from, to }) => [from, to]), range.to]
  const gaps = Array.from({ length: edges.length / 2 }, (_, i) => ({ from: edges[2 * i]!, to: edges[2 * i + 1]! }))
  return gaps.filter(({ from, to }) => from < to)
}

/** A top list: closed hours as they were last closed, the rest from raw rows. */
export function listTopSql({ range, top, by, ...asked }: TopQuestion, list: TopList, closed: Range[]): Clause {
  const within = askedClause(asked)
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
