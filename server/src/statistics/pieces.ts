/** The rows of a question's pieces, as one SQL source. */
import { allOf, type Clause } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import type { Narrowing } from './narrowing.ts'
import type { Piece, Range } from './range.ts'

/** Whose rows, and which of them. */
export type Asked = {
  scope: EventScope
  narrowing: Narrowing
  /** Epoch seconds: from then on exact counters are used, which support the whole query; undefined if they do not. */
  countedSince?: number | undefined
}

const requestTables: Record<Piece['rollup'], string> = {
  minute: 'requests_per_minute_v1',
  fiveMinutes: 'requests_per_five_minutes_v1',
  hour: 'requests_per_hour_v1',
  day: 'requests_per_day_v1',
}
/** Minutes have no visitor table: cards use nothing finer than five minutes. */
const visitorTables: Record<Piece['rollup'], string> = {
  minute: 'visitors_per_five_minutes_v1',
  fiveMinutes: 'visitors_per_five_minutes_v1',
  hour: 'visitors_per_hour_v1',
  day: 'visitors_per_day_v1',
}

const countedTables: Record<Piece['rollup'], string> = {
  minute: 'counted_per_minute_v1',
  fiveMinutes: 'counted_per_five_minutes_v1',
  hour: 'counted_per_hour_v1',
  day: 'counted_per_day_v1',
}

/** Rows in the format of the rollups: each counts as many times as its weight. */
const rowColumns =
  'time, site, zone, domain, status, cause, guard, action, cache, weight AS requests, bytesSent * weight AS bytesSent, bytesReceived * weight AS bytesReceived, if(originStatus > 0, weight, 0) AS originRequests'

/** A range as a condition on a column of whole seconds. `name` separates its parameters from those of another range. */
export function rangeClause({ from, to }: Range, name: string | number): Clause {
  return {
    sql: `time >= toDateTime({from${name}:UInt32}, 'UTC') AND time < toDateTime({to${name}:UInt32}, 'UTC')`,
    params: { [`from${name}`]: from, [`to${name}`]: to },
  }
}

/** The condition for the requested data, for rows and rollups alike. */
export const askedClause = ({ scope, narrowing }: Asked): Clause => allOf([scopeClause(scope), narrowing.clause])

/**
 * `columns` of requests: from exact counters if those support the query, from the rollups of the rows if these do, else
 * from the rows. Each moment is read from only one of them.
 */
export function requestSource(columns: string, pieces: Piece[], asked: Asked): Clause {
  if (asked.narrowing.reads !== 'rows') {
    const [before, counted] = splitAt(pieces, asked.countedSince ?? Number.POSITIVE_INFINITY)
    return unionOf([
      ...readsOf(before, requestTables, asked, (table, where) => `SELECT ${columns} FROM ${table} WHERE ${where}`),
      ...readsOf(
        counted,
        countedTables,
        asked,
        (table, where) => `SELECT ${columns} FROM (SELECT *, '' AS guard, '' AS domain FROM ${table} WHERE ${where})`,
        before.length,
      ),
    ])
  }
  const where = allOf([askedClause(asked), rangeClause(wholeOf(pieces), '')])
  const rows = `SELECT ${rowColumns} FROM requests_raw_v1 WHERE ${where.sql}`
  return { sql: `(\n  SELECT ${columns} FROM (${rows})\n)`, params: where.params }
}

/** The distinct addresses of all requests and of refused ones, as a complete statement. */
export function visitorsSql(pieces: Piece[], asked: Asked): Clause {
  if (asked.narrowing.reads === 'visitors') {
    const source = unionOf(
      readsOf(
        pieces,
        visitorTables,
        asked,
        (table, where) => `SELECT isRefused, addresses AS state FROM ${table} WHERE ${where}`,
      ),
    )
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

/** Pieces are contiguous. */
const wholeOf = (pieces: Piece[]): Range => ({ from: pieces[0]?.from ?? 0, to: pieces.at(-1)?.to ?? 0 })

/** Splits pieces at a moment into those before and those after; a piece that contains it becomes two. */
function splitAt(pieces: Piece[], moment: number): [Piece[], Piece[]] {
  const until = (end: number) => (piece: Piece) => (piece.from < end ? [{ ...piece, to: Math.min(piece.to, end) }] : [])
  const since = (start: number) => (piece: Piece) =>
    piece.to > start ? [{ ...piece, from: Math.max(piece.from, start) }] : []
  return [pieces.flatMap(until(moment)), pieces.flatMap(since(moment))]
}

/**
 * Each table is read once for all of its pieces: its rows are ordered by site first, so that one read for both short
 * ends of a long range costs as much as a read for either. `first` separates the parameters of these pieces from
 * others'.
 */
function readsOf(
  pieces: Piece[],
  tables: Record<Piece['rollup'], string>,
  asked: Asked,
  read: (table: string, where: string) => string,
  first = 0,
): Clause[] {
  const within = askedClause(asked)
  const rollups = [...new Set(pieces.map(({ rollup }) => rollup))]
  return rollups.map((rollup) => {
    const where = allOf([
      within,
      piecesClause(pieces.flatMap((piece, i) => (piece.rollup === rollup ? [[piece, first + i]] : []))),
    ])
    return { sql: read(tables[rollup], where.sql), params: where.params }
  })
}

function unionOf(parts: Clause[]): Clause {
  return {
    sql: `(\n  ${parts.map((part) => part.sql).join('\n  UNION ALL\n  ')}\n)`,
    params: Object.assign({}, ...parts.map((part) => part.params)),
  }
}

/** Pieces of one table, each with its index among all. */
function piecesClause(pieces: [Piece, number][]): Clause {
  const ranges = pieces.map(([piece, i]) => rangeClause(piece, i))
  const params = Object.assign({}, ...ranges.map((range) => range.params))
  const times = ranges.length === 1 ? ranges[0]!.sql : `(${ranges.map(({ sql }) => sql).join(' OR ')})`
  const builds = pieces.flatMap(([piece]) => (piece.rollup === 'day' ? piece.builds : []))
  if (builds.length === 0) return { sql: times, params }
  return { sql: `${times} AND build IN {builds:Array(UInt64)}`, params: { ...params, builds } }
}
