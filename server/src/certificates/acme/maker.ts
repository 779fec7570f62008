/** Which authority and account a certificate is ordered from, and when the next one is due. */
import type { KeyObject } from 'node:crypto'
import { type Database, withSystem } from '../../db/database.ts'
import { guardedFetch } from '../../outbound/fetch.ts'
import type { Services } from '../../process/services.ts'
import { accountKeyOf } from './account-key.ts'
import { AcmeClient, type Ask } from './client.ts'
import { budgetWaitMs, failuresEach, Refused } from './refused.ts'
import { renewalId } from './request.ts'
import { type Authority, authoritiesOf } from './settings.ts'
import { askAgainMs, renewalAt } from './timing.ts'

export type Maker = { operatorId: number; authority: Authority; client: AcmeClient; ask: Ask; key: KeyObject }
type Given = Pick<Services, 'database' | 'vault' | 'guard'>
type Life = { notBefore: Date; notAfter: Date }

/**
 * The operator's authority for an order after this many failures, and a client for it. Throws a Refused if it has none.
 */
export function makerOf(
  { database, vault, guard }: Given,
  { operatorId, attempts }: { operatorId: number; attempts: number },
): Promise<Maker> {
  return withSystem(database.db, async (db) => {
    const authorities = await authoritiesOf(db, vault, operatorId)
    const authority = authorities[Math.floor(attempts / failuresEach) % Math.max(authorities.length, 1)]
    if (!authority) throw new Refused('noAuthority', budgetWaitMs)
    const key = await accountKeyOf(db, vault, { tenantId: operatorId })
    const ask: Ask = (url, options) =>
      guardedFetch(guard, url, { ...options, ...(authority.trusted && { trusted: authority.trusted }) })
    return { operatorId, authority, ask, key, client: new AcmeClient(authority.directory, key, ask) }
  })
}

/** The key under which the limits count an order of a name. */
export const asked = ({ operatorId, authority }: Maker, name: string) => ({
  tenantId: operatorId,
  directory: authority.directory,
  name,
})

/** Returns the operator's account at the authority, creating it on first use. */
export async function accountOf(db: Database, { operatorId, authority, client, ask }: Maker): Promise<string> {
  const place = { tenantId: operatorId, directory: authority.directory, eabKeyId: authority.eabKeyId }
  const known = await withSystem(db, (tx) =>
    tx
      .selectFrom('acmeAccounts')
      .select('url')
      .where('tenantId', '=', place.tenantId)
      .where('directory', '=', place.directory)
      .where('eabKeyId', '=', place.eabKeyId)
      .executeTakeFirst(),
  )
  if (known) return known.url
  const url = await client.register(authority.email, await authority.eab(ask))
  await withSystem(db, (tx) =>
    tx
      .insertInto('acmeAccounts')
      .values({ ...place, url })
      .onConflict((on) => on.columns(['tenantId', 'directory', 'eabKeyId']).doUpdateSet({ url }))
      .execute(),
  )
  return url
}

/** When a certificate is renewed, and when to check that date again. */
export async function plan(client: AcmeClient, chain: string, life: Life): Promise<{ at: number; next: number }> {
  const id = renewalId(chain)
  const window = id === undefined ? undefined : await client.renewalWindow(id).catch(() => undefined)
  const at = renewalAt(life, window)
  return { at, next: window ? Math.min(at, Date.now() + askAgainMs(window.retryAfterSeconds)) : at }
}

/**
 * The id of the certificate that an order replaces; undefined if the authority does not support renewal information.
 */
export async function replaced(client: AcmeClient, chain: string): Promise<string | undefined> {
  return (await client.directory()).renewalInfo ? renewalId(chain) : undefined
}
