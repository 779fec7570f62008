/** Who a certificate is ordered from, in whose name, and when the next one is due. */
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

/** The authority of an operator whose turn it is after so many failures, and a client of it. Throws a Refused where there is none. */
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

/** What its limits count for an order of a name. */
export const asked = ({ operatorId, authority }: Maker, name: string) => ({
  tenantId: operatorId,
  directory: authority.directory,
  name,
})

/** The account of the operator at its authority, made at first use. */
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

/** When a certificate is renewed, and when that is asked again. */
export async function plan(client: AcmeClient, chain: string, life: Life): Promise<{ at: number; next: number }> {
  const id = renewalId(chain)
  const window = id === undefined ? undefined : await client.renewalWindow(id).catch(() => undefined)
  const at = renewalAt(life, window)
  return { at, next: window ? Math.min(at, Date.now() + askAgainMs(window.retryAfterSeconds)) : at }
}

/** What a new certificate replaces, where the authority knows of such a thing. */
export async function replaced(client: AcmeClient, chain: string): Promise<string | undefined> {
  return (await client.directory()).renewalInfo ? renewalId(chain) : undefined
}
