/** Conditions of a query to the event store. The SQL text is ours; values are parameters, never part of the text. */
import type { Params } from './store.ts'

export type Clause = { sql: string; params: Params }

/** Joins conditions with AND; true if there are none. */
export function allOf(clauses: (Clause | undefined)[]): Clause {
  const present = clauses.filter((clause) => clause !== undefined)
  return {
    sql: present.map((clause) => clause.sql).join(' AND ') || 'true',
    params: Object.assign({}, ...present.map((clause) => clause.params)),
  }
}
