/** Turns an account's row into a caller. Read at every call, so that a revoked permission is gone at the next call. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import { sql } from 'kysely'
import { grantedSites } from '../db/granted-sites.ts'
import { Fault } from '../http/fault.ts'
import type { Caller } from '../http/implement.ts'
import { permissionsOf } from './permissions.ts'

/** The networks from which an operator's staff may connect; empty for everybody else. */
const groupCidrs = (of: 'accounts' | 'actors') => sql<string[]>`coalesce(case when ${sql.ref(`${of}.tier`)} = 'client'
  then (select p.cidrs from sign_in_policies p where p.tenant_id = ${sql.ref(`${of}.tenantId`)}) end, '{}')`

/** The columns from which a caller is built, for a query on `accounts`. */
export const accountColumns = [
  'accounts.id',
  'accounts.account',
  'accounts.tenantId',
  'accounts.tier',
  'accounts.isRoot',
  // Once its end date has passed, an account counts as expired, whether or not the sweep has run.
  sql<number>`case when accounts.status = 1 and accounts.ends_at <= now() then 3 else accounts.status end`.as('status'),
  'accounts.mustChangePassword',
  'accounts.allSites',
  groupCidrs('accounts').as('groupCidrs'),
  sql<string[]>`case when accounts.is_root then '{}' else account_permissions(accounts.id) end`.as('handed'),
  grantedSites,
  sql<number[] | null>`case when accounts.is_root or accounts.tier <> 'client' then null
    else (select array_agg(zone_id) from account_zones where account_id = accounts.id) end`.as('givenZones'),
] as const

/** The columns of the person acting on behalf of the account, for a query that joins `actors`. */
export const actorColumns = [
  'actors.id as actorId',
  'actors.account as actorName',
  'actors.tier as actorTier',
  'actors.status as actorStatus',
  'actors.isRoot as actorIsRoot',
  groupCidrs('actors').as('actorCidrs'),
  sql<string[]>`case when actors.id is null or actors.is_root then '{}' else account_permissions(actors.id) end`.as(
    'actorHanded',
  ),
] as const

type ActorRow = {
  actorId: number | null
  actorName: string | null
  actorTier: Tier | null
  actorStatus: number | null
  actorIsRoot: boolean | null
  actorHanded: string[]
}

/** Who acts on behalf of the account, if anybody. Throws 101013 if that person is no longer enabled or permitted to. */
export function deputyOf(row: ActorRow): Caller['proxiedBy'] {
  const { actorId, actorName, actorTier } = row
  if (actorId === null || actorName === null || actorTier === null) return undefined
  const keys = permissionsOf({ tier: actorTier, isRoot: row.actorIsRoot === true, permissions: row.actorHanded })
  if (row.actorStatus !== 1 || !keys.has('accounts.write')) throw new Fault('invalidToken')
  return { accountId: actorId, accountName: actorName, tier: actorTier }
}

type AccountRow = {
  id: number
  account: string
  tenantId: number
  tier: Tier
  isRoot: boolean
  mustChangePassword: boolean
  handed: string[]
  grantedSites: number[] | null
  givenZones: number[] | null
}

/** What an API token or an acting person narrows: permissions and sites. */
type By = Partial<Pick<Caller, 'sessionId' | 'apiToken' | 'proxiedBy'>> & {
  permissions?: readonly string[]
  siteIds?: readonly number[] | null
}

/** The caller for an account that connects through a session or an API token. */
export function callerOf(row: AccountRow, by: By): Caller {
  const siteIds = intersect(row.grantedSites, by.siteIds)
  let keys: Permission[] = [...permissionsOf({ ...row, permissions: row.handed })]
  if (by.permissions) keys = keys.filter((key) => by.permissions!.includes(key))
  // Somebody restricted to certain sites could not see a site that they created.
  if (siteIds) keys = keys.filter((key) => key !== 'sites.create')
  return {
    accountId: row.id,
    accountName: row.account,
    tenantId: row.tenantId,
    tier: row.tier,
    isRoot: row.isRoot,
    sessionId: by.sessionId ?? 0,
    // Somebody acting on behalf of the account neither knows its password nor may change it.
    mustChangePassword: row.mustChangePassword && by.proxiedBy === undefined,
    permissions: new Set(keys),
    siteIds,
    zoneIds: row.givenZones ?? undefined,
    apiToken: by.apiToken,
    proxiedBy: by.proxiedBy,
  }
}

function intersect(one: number[] | null, two: readonly number[] | null | undefined): readonly number[] | undefined {
  if (!one || !two) return one ?? two ?? undefined
  return one.filter((id) => two.includes(id))
}
