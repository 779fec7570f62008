/** A rule as its list needs it, and a change of several. */

/** What every rule has, whatever it judges. */
export type RuleRow = {
  id: number
  enabled: boolean
  /** A rule that observes refuses nothing. */
  mode: 'enforce' | 'observe'
  memo: string
  expiresAt: string | null
  updatedAt: string
  createdBy: string
}
/** Requests of the last 24 hours that a rule met: of each hour, the oldest first. */
export type RuleHits = { requests: number; hours: readonly number[] }
/** Texts with marks around the values in them (`Marked`). */
export type RuleWords = { when: string; does: string }

/** What shall be done to the chosen rules. */
export type Bulk<Rule> = {
  does: 'enforce' | 'observe' | 'enable' | 'disable' | 'remove'
  rules: readonly Rule[]
  clear: () => void
}
