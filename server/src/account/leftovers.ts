/** What an account stands for: what removing it would leave to nobody, and what would go with it. */
import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { childOf, type Target } from './reach.ts'

type Leftovers = { subs: number; sites: number; zones: number; apiTokens: number; sessions: number; grants: number }

/** Counts. Sites and zones are a tenant's, so they are left behind by its root only. */
export function leftoversOf(db: Database, target: Target): Promise<Leftovers> {
  return asSystem(db, async (tx) => {
    const count = async (rows: { executeTakeFirstOrThrow(): Promise<{ n: number }> }) =>
      (await rows.executeTakeFirstOrThrow()).n
    const all = tx.selectFrom('accounts').where(childOf(target))
    const sites = tx.selectFrom('sites').where('tenantId', '=', target.tenantId).where('removedAt', 'is', null)
    const zones = tx.selectFrom('zones').where('operatorId', '=', target.tenantId)
    const tokens = tx.selectFrom('apiTokens').where('accountId', '=', target.id)
    const sessions = tx.selectFrom('sessions').where('accountId', '=', target.id).where('endedAt', 'is', null)
    const grants = tx.selectFrom('siteGrants').where('accountId', '=', target.id)
    return {
      subs: await count(all.select((on) => on.fn.countAll<number>().as('n'))),
      sites: target.isRoot ? await count(sites.select((on) => on.fn.countAll<number>().as('n'))) : 0,
      zones: target.isRoot ? await count(zones.select((on) => on.fn.countAll<number>().as('n'))) : 0,
      apiTokens: await count(tokens.select((on) => on.fn.countAll<number>().as('n'))),
      sessions: await count(sessions.select((on) => on.fn.countAll<number>().as('n'))),
      grants: await count(grants.select((on) => on.fn.countAll<number>().as('n'))),
    }
  })
}

/** Refuses to remove what would leave something behind that belongs to nobody, and says what. */
export async function requireNothingLeft(db: Database, target: Target): Promise<void> {
  const { subs, sites, zones } = await leftoversOf(db, target)
  if (subs > 0) throw new Fault('parameterError', 'account has subs')
  if (sites > 0) throw new Fault('parameterError', 'account has sites')
  if (zones > 0) throw new Fault('parameterError', 'account has zones')
}
