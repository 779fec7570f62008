/** What a kind of rule requires of data saved elsewhere. */
import type { Database } from '../db/database.ts'
import type { LockedSite } from '../publish/locked-sites.ts'

/** Checks rules of a site before they are saved; throws a Fault at the field. Runs as the caller. */
export type RuleCheck = (
  db: Database,
  site: Pick<LockedSite, 'id' | 'tenantId'>,
  items: readonly Readonly<Record<string, unknown>>[],
) => Promise<void>
