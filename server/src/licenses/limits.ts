/**
 * Enforces an installed licence. Without one there are no limits. Once it has expired, the operator can change nothing
 * but the licence; existing sites keep running, and customers keep working.
 */
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import type { ErrorName } from '@breakwater/contract/errors.ts'
import { type LicenseDocument, type LicenseLimits, unlimited } from '@breakwater/contract/licenses/document.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { Fault } from '../http/fault.ts'
import type { Caller } from '../http/implement.ts'
import type { Env } from '../process/env.ts'
import { operatorOf } from '../settings/operator-of.ts'
import { installationId, trusted } from './installation.ts'
import { readLicense } from './signing.ts'

export type Installed = { document: LicenseDocument; key: string; checkedAt: Date | null; over: boolean }
export type LicenseLimitName = keyof LicenseLimits

const refusals: Record<LicenseLimitName, ErrorName> = {
  nodes: 'nodesExceedLimit',
  zones: 'zonesExceedLimit',
  sites: 'sitesExceedLimit',
  domains: 'domainsExceedLimit',
  users: 'itemsExceedLimit',
  trafficBytes: 'sitesExceedLimit',
}

export type LicenseChecks = {
  /**
   * The licence of an operator, verified again. Runs as the system. Throws 900001 if the stored text does not verify.
   */
  installed(db: Database, operatorId: number, now?: number): Promise<Installed | undefined>
  /** Throws 101019 for a call that an operator may not make once its licence has expired. */
  requireCurrent(db: Database, caller: Caller, endpoint: AnyEndpoint): Promise<void>
  /** Throws if `more` of something would exceed the licence of the operator that serves this tenant. */
  requireRoom(db: Database, tenantId: number, what: LicenseLimitName, more?: number): Promise<void>
}

/** Sign-in, one's own account and the licence itself: the operator must be able to sign in and repair the licence. */
const alwaysMay = (endpoint: AnyEndpoint) =>
  !endpoint.audit || endpoint.can === 'signedIn' || endpoint.can === 'license.write'

export function makeLicenseChecks(env: Pick<Env, 'dataFolder' | 'adminConsoleEnabled' | 'licenseKeys'>): LicenseChecks {
  const installed: LicenseChecks['installed'] = async (db, operatorId, now = Date.now()) => {
    const row = await db
      .selectFrom('installedLicenses')
      .select(['key', 'checkedAt', 'seenAt'])
      .where('operatorId', '=', operatorId)
      .executeTakeFirst()
    if (!row) return undefined
    const document = readLicense(row.key, trusted(env), await installationId(env.dataFolder))
    const latest = Math.max(now, row.seenAt.getTime())
    const over = document.revokedAt !== null || Date.parse(document.expiresAt) <= latest
    return { document, key: row.key, checkedAt: row.checkedAt, over }
  }
  return {
    installed,
    requireCurrent: (db, caller, endpoint) => {
      if (caller.tier !== 'client' || alwaysMay(endpoint)) return Promise.resolve()
      return asSystem(db, async (tx) => {
        if ((await installed(tx, caller.tenantId))?.over) throw new Fault('licenseExpired')
      })
    },
    requireRoom: (db, tenantId, what, more = 1) =>
      asSystem(db, async (tx) => {
        const operatorId = await operatorOf(tx, tenantId)
        const license = await installed(tx, operatorId)
        if (!license) return
        const { limits } = license.document
        await lockTenant(tx, operatorId)
        const used = await usedOf(tx, operatorId)
        if (limits[what] !== null && used[what]! + more > limits[what])
          throw new Fault(refusals[what], { max: limits[what] })
        // More sites and domains would bring more traffic; the existing ones keep running.
        const isFull = limits.trafficBytes !== null && used.trafficBytes! >= limits.trafficBytes
        if (isFull && (what === 'sites' || what === 'domains')) throw new Fault(refusals[what], 'traffic')
      }),
  }
}

/** What an operator and its customers use. Runs as the system. */
export async function usedOf(db: Database, operatorId: number): Promise<LicenseLimits> {
  const { rows } = await sql<LicenseLimits>`
    with ours as (select id from tenants where operator_id = ${operatorId} or id = ${operatorId}),
      live as (select id from sites where removed_at is null and tenant_id in (select id from ours))
    select
      (select count(*) from nodes where operator_id = ${operatorId} and revoked_at is null and group_id is not null) as nodes,
      (select count(*) from zones where operator_id = ${operatorId}) as zones,
      (select count(*) from live) as sites,
      (select count(*) from domains where site_id in (select id from live)) as domains,
      (select count(*) from accounts where tier = 'user' and tenant_id in (select id from ours)) as users,
      (select coalesce(max(month_bytes), 0) from installed_licenses where operator_id = ${operatorId}) as "trafficBytes"
  `.execute(db)
  return rows[0] ?? unlimited
}
