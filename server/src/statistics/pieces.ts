/** The rows of a question's pieces, as one source in SQL. */
import { allOf, type Clause } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import type { Piece, Range, Rollup } from './range.ts'

export const requestTables: Record<Rollup, string> = {
  minute: 'requests_per_minute_v1',
  fiveMinutes: 'requests_per_five_minutes_v1',
  hour: 'requests_per_hour_v1',
}
/** Minutes have no table of visitors: cards ask for nothing finer than five minutes. */
export const visitorTables: Record<Rollup, string> = {
  minute: 'visitors_per_five_minutes_v1',
  fiveMinutes: 'visitors_per_five_minutes_v1',
  hour: 'visitors_per_hour_v1',
}

/** A range as a condition on a column of whole seconds. `name` keeps its parameters apart from another range's. */
export function rangeClause({ from, to }: Range, name: string | number): Clause {
  return {
    sql: `time >= toDateTime({from${name}:UInt32}, 'UTC') AND time < toDateTime({to${name}:UInt32}, 'UTC')`,
    params: { [`from${name}`]: from, [`to${name}`]: to },
  }
}

/** `columns` of all pieces, within the scope, as a subquery. */
export function fromPieces(
  tables: Record<Rollup, string>,
  columns: string,
  pieces: Piece[],
  scope: EventScope,
): Clause {
  const within = scopeClause(scope)
  const parts = pieces.map((piece, i) => {
    const where = allOf([within, rangeClause(piece, i)])
    return { sql: `SELECT ${columns} FROM ${tables[piece.rollup]} WHERE ${where.sql}`, params: where.params }
  })
  return {
    sql: `(\n  ${parts.map((part) => part.sql).join('\n  UNION ALL\n  ')}\n)`,
    params: Object.assign({}, ...parts.map((part) => part.params)),
  }
}
