/** A rule as its list needs it, and a bulk change. */

/** The fields of every rule, whatever it checks. */
export type RuleRow = {
  id: number
  enabled: boolean
  /** An observing rule refuses nothing. */
  mode: 'enforce' | 'observe'
  memo: string
  expiresAt: string | null
  updatedAt: string
  createdBy: string
}
/** Requests that a rule matched in the last 24 hours, per hour, the oldest first. */
export type RuleHits = { requests: number; hours: readonly number[] }
/** Texts with marks around the values in them (`Marked`). */
export type RuleWords = { when: string; does: string }

/** A bulk action on the selected rules. */
export type Bulk<Rule> = {
  does: 'enforce' | 'observe' | 'enable' | 'disable' | 'remove'
  rules: readonly Rule[]
  clear: () => void
}
