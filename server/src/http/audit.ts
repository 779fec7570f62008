/** The audit log: one entry per write, in the write's own transaction. Append-only, and never contains a secret. */
import type { FastifyRequest } from 'fastify'
import type { Database } from '../db/database.ts'
import { storableJson } from '../db/foreign-text.ts'
import type { AuditNote, Caller } from './implement.ts'

type Audited = { caller: Caller | undefined; audit: AuditNote; requestId: string; address: string; siteId?: number }

/** Writes the entry under the endpoint's audit name, with what the handler noted (site, before and after). */
export async function writeAudit(db: Database, action: string, call: Audited, request: FastifyRequest): Promise<void> {
  const { caller, audit } = call
  if (!caller) return
  await db
    .insertInto('audit')
    .values({
      tenantId: caller.tenantId,
      accountId: caller.accountId,
      accountName: caller.accountName,
      tier: caller.tier,
      action,
      method: request.method,
      url: request.url.split('?')[0]!.slice(0, 2048),
      requestId: call.requestId,
      address: call.address,
      tokenName: caller.apiToken?.name ?? null,
      proxyName: caller.proxiedBy?.accountName ?? null,
      proxyAccountId: caller.proxiedBy?.accountId ?? null,
      subjectTenantId: audit.subjectTenantId ?? null,
      siteId: audit.siteId ?? call.siteId ?? null,
      detail: audit.detail ? storableJson(audit.detail) : null,
    })
    .execute()
}
