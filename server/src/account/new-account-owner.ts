/** Where a new account belongs: its tenant and its parent. A customer or an operator gets a tenant of its own. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { asSystem, type Database } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'
import type { Caller } from '../http/implement.ts'

export type Place = { tenantId: number; parentId: number | null; isRoot: boolean }

/** The kinds of account that each console can create. */
const makes: Record<Tier, readonly Tier[]> = {
  user: ['user'],
  client: ['client', 'user'],
  admin: ['admin', 'client', 'user'],
}

/** Returns the place for the new account. Creates its tenant if it needs one. */
export async function placeOf(
  db: Database,
  caller: Caller,
  auth: Tier,
  name: string,
  clientId: number | undefined,
): Promise<Place> {
  if (!makes[caller.tier].includes(auth)) throw fieldFault('auth', 'notInThisConsole', 'permissionDenied')
  if (auth === caller.tier) return { tenantId: caller.tenantId, parentId: caller.accountId, isRoot: false }
  return asSystem(db, async (tx) => {
    if (auth === 'client') {
      return { tenantId: await makeTenant(tx, 'operator', name, null), parentId: caller.accountId, isRoot: true }
    }
    const operatorId = caller.tier === 'client' ? caller.tenantId : await operatorNamed(tx, clientId)
    const root = await tx
      .selectFrom('accounts')
      .select('id')
      .where('tenantId', '=', operatorId)
      .where('isRoot', '=', true)
      .orderBy('id')
      .executeTakeFirst()
    return { tenantId: await makeTenant(tx, 'customer', name, operatorId), parentId: root?.id ?? null, isRoot: true }
  })
}

async function operatorNamed(db: Database, clientId: number | undefined): Promise<number> {
  if (clientId === undefined) throw fieldFault('clientID', 'required')
  const row = await db
    .selectFrom('accounts')
    .select('tenantId')
    .where('id', '=', clientId)
    .where('tier', '=', 'client')
    .executeTakeFirst()
  if (!row) throw fieldFault('clientID', 'unknownAccount')
  return row.tenantId
}

async function makeTenant(db: Database, kind: 'operator' | 'customer', name: string, operatorId: number | null) {
  const row = await db
    .insertInto('tenants')
    .values({ kind, name, operatorId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}
