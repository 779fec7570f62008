/** What a kind of rule asks of what is saved elsewhere. */
import type { Database } from '../db/database.ts'
import type { LockedSite } from '../publish/locked-sites.ts'

/** Looks at rules of a site that shall be saved; throws a Fault at its field. Runs as the caller. */
export type RuleCheck = (
  db: Database,
  site: Pick<LockedSite, 'id' | 'tenantId'>,
  items: readonly Readonly<Record<string, unknown>>[],
) => Promise<void>
