/** What removing an account would orphan (which blocks the removal) and what it would delete. */
import { asSystem, type Database } from '../db/database.ts'
import { countOf } from '../db/paging.ts'
import { Fault } from '../http/fault.ts'
import { childOf, type Target } from './known-accounts.ts'

type RemovalCheck = { subs: number; sites: number; zones: number; apiTokens: number; sessions: number; grants: number }

/** The counts. Sites and zones belong to the tenant, so only removing its root account would orphan them. */
export function removalCheckOf(db: Database, target: Target): Promise<RemovalCheck> {
  return asSystem(db, async (tx) => {
    const all = tx.selectFrom('accounts').where(childOf(target))
    const sites = tx.selectFrom('sites').where('tenantId', '=', target.tenantId).where('removedAt', 'is', null)
    const zones = tx.selectFrom('zones').where('operatorId', '=', target.tenantId)
    const tokens = tx.selectFrom('apiTokens').where('accountId', '=', target.id)
    const sessions = tx.selectFrom('sessions').where('accountId', '=', target.id).where('endedAt', 'is', null)
    const grants = tx.selectFrom('siteGrants').where('accountId', '=', target.id)
    return {
      subs: await countOf(all),
      sites: target.isRoot ? await countOf(sites) : 0,
      zones: target.isRoot ? await countOf(zones) : 0,
      apiTokens: await countOf(tokens),
      sessions: await countOf(sessions),
      grants: await countOf(grants),
    }
  })
}

/** Throws if removing the account would orphan anything, and says what. */
export async function requireRemovable(db: Database, target: Target): Promise<void> {
  const { subs, sites, zones } = await removalCheckOf(db, target)
  if (subs > 0) throw new Fault('parameterError', 'account has subs')
  if (sites > 0) throw new Fault('parameterError', 'account has sites')
  if (zones > 0) throw new Fault('parameterError', 'account has zones')
}
