/** The rows of a question's pieces, as one source in SQL. */
import { allOf, type Clause } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import type { Narrowing } from './narrowing.ts'
import type { Piece, Range } from './range.ts'

/** Whose rows, and which of them. */
export type Asked = { scope: EventScope; narrowing: Narrowing }

const requestTables: Record<Piece['rollup'], string> = {
  minute: 'requests_per_minute_v1',
  fiveMinutes: 'requests_per_five_minutes_v1',
  hour: 'requests_per_hour_v1',
  day: 'requests_per_day_v1',
}
/** Minutes have no table of visitors: cards ask for nothing finer than five minutes. */
const visitorTables: Record<Piece['rollup'], string> = {
  minute: 'visitors_per_five_minutes_v1',
  fiveMinutes: 'visitors_per_five_minutes_v1',
  hour: 'visitors_per_hour_v1',
  day: 'visitors_per_day_v1',
}

/** Rows as the rollups have them: each counts for as many requests as it stands for. */
const rowColumns =
  'time, site, zone, domain, status, cause, guard, action, cache, weight AS requests, bytesSent * weight AS bytesSent, bytesReceived * weight AS bytesReceived, if(originStatus > 0, weight, 0) AS originRequests'

/** A range as a condition on a column of whole seconds. `name` keeps its parameters apart from another range's. */
export function rangeClause({ from, to }: Range, name: string | number): Clause {
  return {
    sql: `time >= toDateTime({from${name}:UInt32}, 'UTC') AND time < toDateTime({to${name}:UInt32}, 'UTC')`,
    params: { [`from${name}`]: from, [`to${name}`]: to },
  }
}

/** The condition that picks what was asked for, in rows and rollups alike. */
export const askedClause = ({ scope, narrowing }: Asked): Clause => allOf([scopeClause(scope), narrowing.clause])

/** `columns` of requests, from the rollups where they know what is filtered by, else from the rows. */
export function requestSource(columns: string, pieces: Piece[], asked: Asked): Clause {
  if (asked.narrowing.reads !== 'rows') return union(columns, requestTables, pieces, asked)
  const where = allOf([askedClause(asked), rangeClause(wholeOf(pieces), '')])
  const rows = `SELECT ${rowColumns} FROM requests_raw_v1 WHERE ${where.sql}`
  return { sql: `(\n  SELECT ${columns} FROM (${rows})\n)`, params: where.params }
}

/** The different addresses of all requests and of refused ones, as a whole statement. */
export function visitorsSql(pieces: Piece[], asked: Asked): Clause {
  if (asked.narrowing.reads === 'visitors') {
    const source = union('isRefused, addresses AS state', visitorTables, pieces, asked)
    return {
      sql: `SELECT uniqCombinedMerge(14)(state) AS addresses, uniqCombinedMergeIf(14)(state, isRefused = 1) AS refused\nFROM ${source.sql}`,
      params: source.params,
    }
  }
  const where = allOf([askedClause(asked), rangeClause(wholeOf(pieces), '')])
  return {
    sql: `SELECT uniqCombined(14)(address) AS addresses, uniqCombinedIf(14)(address, action IN ('block', 'challenge')) AS refused\nFROM requests_raw_v1\nWHERE ${where.sql}`,
    params: where.params,
  }
}

/** Pieces follow each other without a gap. */
const wholeOf = (pieces: Piece[]): Range => ({ from: pieces[0]?.from ?? 0, to: pieces.at(-1)?.to ?? 0 })

/**
 * Each table is read once for all of its pieces: its rows stand by site first, so that one look for two short ends of a long
 * range costs as much as a look for either.
 */
function union(columns: string, tables: Record<Piece['rollup'], string>, pieces: Piece[], asked: Asked): Clause {
  const within = askedClause(asked)
  const rollups = [...new Set(pieces.map(({ rollup }) => rollup))]
  const parts = rollups.map((rollup) => {
    const where = allOf([
      within,
      piecesClause(pieces.flatMap((piece, i) => (piece.rollup === rollup ? [[piece, i]] : []))),
    ])
    return { sql: `SELECT ${columns} FROM ${tables[rollup]} WHERE ${where.sql}`, params: where.params }
  })
  return {
    sql: `(\n  ${parts.map((part) => part.sql).join('\n  UNION ALL\n  ')}\n)`,
    params: Object.assign({}, ...parts.map((part) => part.params)),
  }
}

/** Pieces of one table, each with its place among all. */
function piecesClause(pieces: [Piece, number][]): Clause {
  const ranges = pieces.map(([piece, i]) => rangeClause(piece, i))
  const params = Object.assign({}, ...ranges.map((range) => range.params))
  const times = ranges.length === 1 ? ranges[0]!.sql : `(${ranges.map(({ sql }) => sql).join(' OR ')})`
  const builds = pieces.flatMap(([piece]) => (piece.rollup === 'day' ? piece.builds : []))
  if (builds.length === 0) return { sql: times, params }
  return { sql: `${times} AND build IN {builds:Array(UInt64)}`, params: { ...params, builds } }
}
