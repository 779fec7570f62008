/**
 * The first run: creates the vendor, one operator with a zone, a group and a self-service product, and one customer.
 */
import { randomBytes } from 'node:crypto'
import { hashPassword } from '../auth/passwords.ts'
import { type Database, withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import { ensureGroupKey } from '../secrets/store.ts'

export type FirstAccount = { tier: 'admin' | 'client' | 'user'; account: string; password: string }

/** 20 characters, without look-alikes. */
function readablePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
  const text = [...randomBytes(20)].map((byte) => letters[byte % letters.length]).join('')
  return /\d/.test(text) ? text : `${text.slice(1)}7`
}

/** The demo's customer (`--demo`). */
export const demoAccount = 'demo'

const firstAccounts = [
  { tier: 'admin', account: 'vendor' },
  { tier: 'client', account: 'operator' },
  { tier: 'user', account: 'customer' },
] as const

/**
 * Creates the first accounts and the default zone if there are none, and those of the demo. Returns the accounts
 * created.
 */
export async function firstRun(services: Services): Promise<FirstAccount[]> {
  const { database, vault, env } = services
  const made = firstAccounts.map((first) => ({ ...first, password: env.firstPassword ?? readablePassword() }))
  const hashes = await Promise.all(made.map(({ password }) => hashPassword(password)))
  const first = await withSystem(database.db, async (tx) => {
    // If two processes start together, one creates them and the other finds them.
    await tx.selectFrom('installation').select('id').forUpdate().execute()
    if (await tx.selectFrom('accounts').select('id').executeTakeFirst()) return []
    const tenantIds = await makeTenants(tx)
    for (const [index, { tier, account }] of made.entries()) {
      await makeRoot(
        tx,
        { tenantId: tenantIds[tier], tier, account, passwordHash: hashes[index]! },
        env.firstPassword === undefined,
      )
    }
    await ensureGroupKey(tx, vault, await makeDefaultZone(tx, tenantIds.client))
    return made
  })
  return [...first, ...(env.isDemo ? await makeDemo(services) : [])]
}

function makeRoot(
  db: Database,
  row: { tenantId: number; tier: FirstAccount['tier']; account: string; passwordHash: string },
  mustChangePassword: boolean,
) {
  return db
    .insertInto('accounts')
    .values({ ...row, name: row.account, isRoot: true, mustChangePassword })
    .execute()
}

async function makeDemo({ database, env }: Services): Promise<FirstAccount[]> {
  const password = env.firstPassword ?? readablePassword()
  const passwordHash = await hashPassword(password)
  return withSystem(database.db, async (tx) => {
    await tx.selectFrom('installation').select('id').forUpdate().execute()
    if (await tx.selectFrom('accounts').select('id').where('account', '=', demoAccount).executeTakeFirst()) return []
    const operator = await tx
      .selectFrom('tenants')
      .select('id')
      .where('kind', '=', 'operator')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const tenant = await tx
      .insertInto('tenants')
      .values({ kind: 'customer', name: 'demo', operatorId: operator.id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await makeRoot(tx, { tenantId: tenant.id, tier: 'user', account: demoAccount, passwordHash }, false)
    return [{ tier: 'user' as const, account: demoAccount, password }]
  })
}

async function makeTenants(db: Database) {
  const make = async (kind: 'vendor' | 'operator' | 'customer', name: string, operatorId: number | null = null) =>
    (await db.insertInto('tenants').values({ kind, name, operatorId }).returning('id').executeTakeFirstOrThrow()).id
  const admin = await make('vendor', 'vendor')
  const client = await make('operator', 'operator')
  return { admin, client, user: await make('customer', 'customer', client) }
}

async function makeDefaultZone(db: Database, operatorId: number): Promise<number> {
  const zone = await db
    .insertInto('zones')
    .values({ operatorId, name: 'default' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const group = await db
    .insertInto('groups')
    .values({ zoneId: zone.id, name: 'main', label: `g${randomBytes(6).toString('hex')}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('feeds').values({ groupId: group.id }).execute()
  const limitations = JSON.stringify({ domains: 100, ports: 20, trafficBytes: 0 })
  const product = await db
    .insertInto('products')
    .values({ operatorId, name: 'standard', isSelfService: true, limitations })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('productGroups').values({ productId: product.id, groupId: group.id }).execute()
  return group.id
}
