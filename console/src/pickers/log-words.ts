/** The words for codes in log rows; the same in the log, its filters and statistics. */

import { type GuardName, guardIds } from '@breakwater/contract/edge/guards.ts'
import { originFailures } from '@breakwater/contract/edge/origin-failures.ts'
import type { Option } from '../kit/Select.tsx'
import type { Say } from '../platform/phrases.ts'

const words = {
  action: ['pass', 'block', 'challenge', 'observe', 'drop'],
  /** Guards with rules take the title of their page (`rules/kind-words.ts`). */
  guard: Object.keys(guardIds) as GuardName[],
  cache: ['HIT', 'MISS', 'EXPIRED', 'STALE', 'REVALIDATED', 'UPDATING', 'BYPASS', 'DIRECT'],
  route: ['cached', 'direct', 'refused'],
  originFailure: originFailures,
  cause: ['444', '903', '904', '929', '978'],
  /** Methods need no words; rollups merge the rare ones. */
  method: ['other'],
} as const
type Worded = keyof typeof words

/** Returns a value in words; the value itself if it has none. */
export function logWord(field: string, value: string, t: Say<'logs'>): string {
  const known: readonly string[] = field in words ? words[field as Worded] : []
  return known.includes(value) ? (t as (key: string) => string)(`${field}.${value}`) : value
}

/** Returns all values of a field as options with words. */
export const wordOptions = (field: Exclude<Worded, 'method'>, t: Say<'logs'>): Option<string>[] =>
  words[field].map((value) => ({ value, label: logWord(field, value, t) }))
