/** Reading the audit log. Row-level security keeps tenants apart; here a sub-account is kept to itself and those below it. */
import { auditLog } from '@breakwater/contract/audit/audit.ts'
import { sql } from 'kysely'
import { below } from '../account/reach.ts'
import type { Database } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement } from '../http/implement.ts'

const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** The entries that a caller may read. A root reads its tenant's and those about it; the tenants are named for the index. */
function readable(db: Database, caller: Caller) {
  const tenants =
    caller.tier === 'client'
      ? sql`(select id from tenants where id = ${caller.tenantId} or operator_id = ${caller.tenantId})`
      : sql`(${caller.tenantId})`
  let rows = db
    .selectFrom('audit')
    .where(sql<boolean>`(audit.tenant_id in ${tenants} or audit.subject_tenant_id in ${tenants})`)
  if (!caller.isRoot) {
    const people = sql`(select accounts.id from accounts where ${below(caller)})`
    rows = rows.where(sql<boolean>`(audit.account_id = ${caller.accountId} or audit.account_id in ${people})`)
  }
  if (caller.siteIds) {
    const sites = [0, ...caller.siteIds]
    rows = rows.where((on) => on.or([on('siteId', 'in', sites), on('accountId', '=', caller.accountId)]))
  }
  return rows
}

export function auditFeature(): Feature {
  return implement(auditLog, {
    async list({ db, caller, body }) {
      const { page, pageSize, startTime, endTime } = body
      if (startTime !== undefined && endTime !== undefined && endTime < startTime) {
        throw fieldFault('endTime', 'wrongFormat')
      }
      let rows = readable(db, caller)
      if (body.accountName) rows = rows.where('accountName', 'ilike', like(body.accountName))
      if (body.proxyName) rows = rows.where('proxyName', 'ilike', like(body.proxyName))
      if (body.url) rows = rows.where('url', 'ilike', like(body.url))
      if (body.action) rows = rows.where('action', 'ilike', like(body.action))
      if (body.reqID) rows = rows.where('requestId', '=', body.reqID)
      if (body.method) rows = rows.where('method', '=', body.method.toUpperCase())
      if (body.siteID !== undefined) rows = rows.where('siteId', '=', body.siteID)
      if (startTime !== undefined) rows = rows.where('at', '>=', new Date(startTime))
      if (endTime !== undefined) rows = rows.where('at', '<=', new Date(endTime))
      const found = await rows
        .select(['id', 'at', 'accountName', 'tier', 'proxyName', 'tokenName', 'action', 'method', 'url'])
        .select(['requestId', 'address', 'status', 'siteId', 'detail'])
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute()
      const { total } = await rows.select((on) => on.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      const data = found.map(({ at, requestId, address, siteId, ...row }) => ({
        ...row,
        reqID: requestId,
        createdAt: at.toISOString(),
        clientIP: address,
        siteID: siteId,
      }))
      return { data, total }
    },
  })
}
