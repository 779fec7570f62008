/** The first run: the vendor, one operator with a zone, a group and a self-service product, and one customer. */
import { randomBytes } from 'node:crypto'
import { hashPassword } from '../auth/passwords.ts'
import { type Database, withSystem } from '../db/database.ts'
import type { Services } from '../http/services.ts'
import { ensureGroupKey } from '../secrets/store.ts'

export type FirstAccount = { tier: 'admin' | 'client' | 'user'; account: string; password: string }

/** 20 characters without those that look alike. */
function readablePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
  const text = [...randomBytes(20)].map((byte) => letters[byte % letters.length]).join('')
  return /\d/.test(text) ? text : `${text.slice(1)}7`
}

/** Makes the first accounts and the default zone where there are none. Returns the accounts that it made. */
export async function firstRun({ database: { db }, env, vault }: Services): Promise<FirstAccount[]> {
  const made = (['admin', 'client', 'user'] as const).map((tier) => ({
    tier,
    account: { admin: 'vendor', client: 'operator', user: 'customer' }[tier],
    password: env.firstPassword ?? readablePassword(),
  }))
  const hashes = await Promise.all(made.map(({ password }) => hashPassword(password)))
  return withSystem(db, async (tx) => {
    // Two processes that start together: one makes them, the other finds them.
    await tx.selectFrom('installation').select('id').forUpdate().execute()
    if (await tx.selectFrom('accounts').select('id').executeTakeFirst()) return []
    const tenantIds = await makeTenants(tx)
    for (const [index, { tier, account }] of made.entries()) {
      const row = {
        tenantId: tenantIds[tier],
        tier,
        account,
        name: account,
        isRoot: true,
        passwordHash: hashes[index]!,
        mustChangePassword: env.firstPassword === undefined,
      }
      await tx.insertInto('accounts').values(row).execute()
    }
    const groupId = await makeDefaultZone(tx, tenantIds.client)
    await ensureGroupKey(tx, vault, groupId)
    return made
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
