/** The words for what a row of the log holds as a code; the same in the log, in its filters and in statistics. */

import { type GuardName, guardIds } from '@breakwater/contract/edge/guards.ts'
import { originFailures } from '@breakwater/contract/edge/origin-failures.ts'
import type { Option } from '../kit/Select.tsx'
import type { Say } from '../platform/phrases.ts'

const words = {
  action: ['pass', 'block', 'challenge', 'observe', 'drop'],
  /** Those of rules are named by the title of their page (`rules/kind-words.ts`). */
  guard: Object.keys(guardIds) as GuardName[],
  cache: ['HIT', 'MISS', 'EXPIRED', 'STALE', 'REVALIDATED', 'UPDATING', 'BYPASS', 'DIRECT'],
  route: ['cached', 'direct', 'refused'],
  originFailure: originFailures,
  cause: ['444', '903', '904', '929', '978'],
  /** Methods are their own words; rollups sum the rare ones. */
  method: ['other'],
} as const
type Worded = keyof typeof words

/** A value of a field as people say it; itself where it has no word. */
export function logWord(field: string, value: string, t: Say<'logs'>): string {
  const known: readonly string[] = field in words ? words[field as Worded] : []
  return known.includes(value) ? (t as (key: string) => string)(`${field}.${value}`) : value
}

/** All values of a field that has words for each, to choose from. */
export const wordOptions = (field: Exclude<Worded, 'method'>, t: Say<'logs'>): Option<string>[] =>
  words[field].map((value) => ({ value, label: logWord(field, value, t) }))
