/** Accounts in the database: lists, roles, duplicate checks. */

import {
  type Account,
  accountListMax,
  accountStatuses,
  accountStatusNames,
} from '@breakwater/contract/account/accounts.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { asSystem, type Database } from '../db/database.ts'
import { containing, countOf, onePage } from '../db/paging.ts'
import { fieldFault } from '../http/fault.ts'
import type { Caller } from '../http/implement.ts'
import { requireKeys } from '../roles/roles.ts'
import type { Target } from './known-accounts.ts'

const sortColumns = {
  id: 'accounts.id',
  name: 'accounts.name',
  account: 'accounts.account',
  email: 'accounts.email',
  status: 'accounts.status',
  createdAt: 'accounts.createdAt',
} as const

export type ListQuery = {
  page: number
  pageSize: number
  sortBy?: keyof typeof sortColumns | undefined
  orderBy: 'asc' | 'desc'
  auth?: Tier | undefined
  name?: string | undefined
  status?: number | undefined
  operatorId?: number | undefined
}

/** The second step that the account itself has: an app, a passkey or mail. Ignores what its operator requires. */
const ownSecondStep = sql<number>`case when accounts.second_step <> 3 and account_has_passkey(accounts.id) then 4 else accounts.second_step end`

/**
 * The status shown to people: an account locked after failed sign-ins shows as locked until the lock expires (ruling
 * 16). Accounts can sign in by account name or by e-mail address, and each of the two is locked separately.
 */
const shownStatus = sql<number>`case when accounts.status = ${accountStatuses.normal} and exists (
  select from sign_in_failures as failed where failed.locked_until > now() and failed.key in
    (accounts.tier || '/name/' || lower(accounts.account), accounts.tier || '/name/' || lower(accounts.email)))
  then ${accountStatuses.lock}::int else accounts.status end`

function filtered(db: Database, reach: RawBuilder<boolean>, query: ListQuery) {
  let rows = db.selectFrom('accounts').innerJoin('tenants', 'tenants.id', 'accounts.tenantId').where(reach)
  if (query.auth) rows = rows.where('accounts.tier', '=', query.auth)
  if (query.status !== undefined) rows = rows.where(shownStatus, '=', query.status)
  if (query.operatorId !== undefined) {
    const id = query.operatorId
    rows = rows.where((on) => on.or([on('tenants.id', '=', id), on('tenants.operatorId', '=', id)]))
  }
  if (query.name) {
    const text = containing(query.name)
    rows = rows.where((on) =>
      on.or([
        on('accounts.name', 'ilike', text),
        on('accounts.account', 'ilike', text),
        on('accounts.email', 'ilike', text),
      ]),
    )
  }
  return rows
}

/**
 * One page of the accounts that match a condition, and how many match. Queried as the system: row-level security would
 * keep the text indexes from being used, and the condition alone determines which accounts are visible.
 */
export function listAccounts(db: Database, reach: RawBuilder<boolean>, query: ListQuery) {
  return asSystem(db, (tx) => pageOfAccounts(tx, reach, query))
}

async function pageOfAccounts(db: Database, reach: RawBuilder<boolean>, query: ListQuery) {
  const rows = await filtered(db, reach, query)
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'accounts.account', 'accounts.tier as auth'])
    .select(shownStatus.as('status'))
    .select(['accounts.isRoot', 'accounts.maxLogExportTimes', 'accounts.permissions'])
    .select([
      'accounts.allSites',
      'accounts.createdAt',
      'accounts.tenantId',
      'tenants.name as tenantName',
      'accounts.endsAt',
    ])
    .select(sql<boolean>`accounts.password_hash is null`.as('invited'))
    .select(ownSecondStep.as('ownStep'))
    .select((on) =>
      jsonArrayFrom(
        on
          .selectFrom('accountRoles')
          .innerJoin('roles', 'roles.id', 'accountRoles.roleId')
          .whereRef('accountRoles.accountId', '=', 'accounts.id')
          .select(['roles.id', 'roles.name'])
          .orderBy('roles.name'),
      ).as('roles'),
    )
    .orderBy(sortColumns[query.sortBy ?? 'createdAt'], query.orderBy)
    .orderBy('accounts.id', query.orderBy)
    .$call(onePage(query))
    .execute()
  // Counted only as far as anybody pages: counting all 100,000 took longer than everything else together.
  const n = await countOf(
    db.selectFrom(
      filtered(db, reach, query)
        .select(sql<number>`1`.as('one'))
        .limit(accountListMax + 1)
        .as('some'),
    ),
  )
  const data: Account[] = rows.map(({ tenantId, tenantName, createdAt, endsAt, ownStep, ...row }) => ({
    ...row,
    statusName: accountStatusNames[row.status] ?? 'normal',
    login2FAType: ownStep,
    expiredAt: endsAt?.toISOString() ?? null,
    tenant: { id: tenantId, name: tenantName },
    createdAt: createdAt.toISOString(),
  }))
  return { data, total: Math.min(n, accountListMax), isMore: n > accountListMax }
}

/**
 * Replaces an account's roles with these, which must belong to its tenant. The caller must hold all their permissions.
 */
export async function setRoles(db: Database, caller: Caller, target: Pick<Target, 'id' | 'tenantId'>, ids: number[]) {
  const wanted = [...new Set(ids)]
  const found = wanted.length
    ? await db
        .selectFrom('roles')
        .select(['id', 'permissions'])
        .where('id', 'in', wanted)
        .where('tenantId', '=', target.tenantId)
        .forShare()
        .execute()
    : []
  const known = new Set(found.map((role) => role.id))
  const missing = ids.findIndex((id) => !known.has(id))
  if (missing >= 0) throw fieldFault(`roleIDs.${missing}`, 'unknownRole')
  for (const role of found) requireKeys(caller, role.permissions, 'roleIDs')
  await db.deleteFrom('accountRoles').where('accountId', '=', target.id).execute()
  const rows = wanted.map((roleId) => ({ tenantId: target.tenantId, accountId: target.id, roleId }))
  if (rows.length > 0) await db.insertInto('accountRoles').values(rows).execute()
}

/** Runs a write on `accounts`; if a value is already taken, throws a fault that names the field. */
export async function namingDuplicates<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const { constraint } = error as { constraint?: string }
    if (constraint === 'accounts_email') throw fieldFault('email', 'duplicateEmail', 'duplicateEmail')
    if (constraint === 'accounts_account') throw fieldFault('account', 'duplicatedData', 'duplicatedData')
    throw error
  }
}
