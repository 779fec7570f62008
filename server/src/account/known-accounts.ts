/**
 * Which accounts a caller may see, and which it may change. A root account sees its tenant, an operator also its
 * customers, a sub-account the accounts it created, the vendor everybody. Nobody may change an account that has more
 * rights than their own: they could set its password and sign in as it.
 */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { type RawBuilder, sql } from 'kysely'
import { accountColumns, callerOf } from '../auth/caller.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { Caller } from '../http/implement.ts'

/** SQL condition on `accounts`: the account is below the caller. Never true of the caller itself. */
export function below(caller: Caller): RawBuilder<boolean> {
  const own = caller.isRoot
    ? sql<boolean>`accounts.tenant_id = ${caller.tenantId}`
    : sql<boolean>`accounts.id in (
        with recursive line as (
          select a.id from accounts a where a.parent_id = ${caller.accountId}
          union select a.id from accounts a join line on a.parent_id = line.id
        ) select id from line)`
  const customers = sql<boolean>`accounts.tenant_id in (select t.id from tenants t where t.operator_id = ${caller.tenantId})`
  if (caller.tier === 'admin') return sql<boolean>`accounts.id <> ${caller.accountId}`
  if (caller.tier === 'client') return sql<boolean>`(accounts.id <> ${caller.accountId} and (${own} or ${customers}))`
  return sql<boolean>`(accounts.id <> ${caller.accountId} and ${own})`
}

/**
 * SQL condition on `accounts`: the account is a child of `parent`. Covers accounts from before parents were recorded.
 */
export function childOf(parent: { id: number; tenantId: number; isRoot: boolean }): RawBuilder<boolean> {
  if (!parent.isRoot) return sql<boolean>`accounts.parent_id = ${parent.id}`
  return sql<boolean>`(accounts.parent_id = ${parent.id} or accounts.parent_id is null and accounts.id <> ${parent.id}
    and (accounts.tenant_id = ${parent.tenantId}
      or accounts.is_root and accounts.tenant_id in (select t.id from tenants t where t.operator_id = ${parent.tenantId})))`
}

export type Target = {
  id: number
  tenantId: number
  tier: Tier
  account: string
  name: string
  email: string
  status: number
  isRoot: boolean
  passwordHash: string | null
}

/** Returns an account that the caller may see. If not visible, throws the same fault as for one that does not exist. */
export async function requireKnown(db: Database, caller: Caller, id: number, auth?: Tier): Promise<Target> {
  let query = db
    .selectFrom('accounts')
    .select(['id', 'tenantId', 'tier', 'account', 'name', 'email', 'status', 'isRoot', 'passwordHash'])
    .where('id', '=', id)
    .where(below(caller))
  if (auth) query = query.where('tier', '=', auth)
  const target = await query.executeTakeFirst()
  if (!target) throw new Fault('permissionDenied')
  return target
}

/** Returns an account that the caller may change, locked until the transaction ends. */
export async function requireBelow(db: Database, caller: Caller, id: number, auth?: Tier): Promise<Target> {
  const target = await requireKnown(db, caller, id, auth)
  if (target.isRoot && target.tenantId === caller.tenantId) throw new Fault('permissionDenied')
  const row = await asSystem(db, (tx) =>
    tx.selectFrom('accounts').select(accountColumns).where('id', '=', id).forUpdate().executeTakeFirst(),
  )
  if (!row) throw new Fault('permissionDenied')
  // The vendor's permissions are a different set from those of the operators and customers, so they cannot be compared.
  if (caller.tier === 'admin' && target.tier !== 'admin') return target
  const other = callerOf(row, {})
  const isMore = [...other.permissions].some((key) => !caller.permissions.has(key))
  const isWider = caller.siteIds !== undefined && !other.siteIds?.every((site) => caller.siteIds!.includes(site))
  const isElsewhere = caller.zoneIds !== undefined && !other.zoneIds?.every((zone) => caller.zoneIds!.includes(zone))
  if (isMore || isWider || (isElsewhere && target.tier === 'client')) throw new Fault('permissionDenied')
  return target
}
