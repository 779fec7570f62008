/** Rules with a part that is written and never read: it is kept sealed, apart from them. */
import type { Database } from '../db/database.ts'
import type { LockedSite } from '../publish/locked-sites.ts'

type Item = Readonly<Record<string, unknown>>

/** What was sent of a rule, taken apart. `secret` is nothing where it was not said: it then stays. */
export type Taken = {
  item: Item
  /** What is shown in the place of the secret, kept with the rule. */
  shown: Item
  secret: unknown
}

export type RuleSecrets = {
  /** The fields of `Taken.shown`. */
  fields: readonly string[]
  /** Before the site is locked: making a hash takes its time. */
  take(item: Item): Promise<Taken>
  /** Keeps the secrets of rules that were changed, by id, and lets those go whose rules are gone. Runs as the caller, under the site's lock. */
  keep(db: Database, site: LockedSite, owner: number, changes: ReadonlyMap<number, unknown>): Promise<void>
}
