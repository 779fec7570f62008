/** Conditions of a question to the event store. Text is ours; values are parameters, never part of the text. */
import type { Params } from './store.ts'

export type Clause = { sql: string; params: Params }

/** All of the conditions. None is true. */
export function allOf(clauses: (Clause | undefined)[]): Clause {
  const present = clauses.filter((clause) => clause !== undefined)
  return {
    sql: present.map((clause) => clause.sql).join(' AND ') || 'true',
    params: Object.assign({}, ...present.map((clause) => clause.params)),
  }
}
