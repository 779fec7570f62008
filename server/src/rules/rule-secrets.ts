/** Rules with write-only fields: these are stored sealed, separately from the rules. */
import type { Database } from '../db/database.ts'
import type { LockedSite } from '../publish/locked-sites.ts'

type Item = Readonly<Record<string, unknown>>

/** A rule as sent, split up. `secret` is undefined if it was not given: the stored one then stays. */
export type Taken = {
  item: Item
  /** What is shown in place of the secret, stored with the rule. */
  shown: Item
  secret: unknown
}

export type RuleSecrets = {
  /** The fields of `Taken.shown`. */
  fields: readonly string[]
  /** Runs before the site is locked, because hashing takes time. */
  take(item: Item): Promise<Taken>
  /**
   * Stores the secrets of changed rules, by id, and deletes those of removed rules. Runs as the caller, under the
   * site's lock.
   */
  keep(db: Database, site: LockedSite, owner: number, changes: ReadonlyMap<number, unknown>): Promise<void>
}
