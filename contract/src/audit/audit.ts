/** The audit log: who did what, when, from where, for whom. */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { Id, Moment, MomentText, TierName } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'

const Text = z.string().max(256, 'charactersExceedLimit').optional()

export const AuditEntry = z.object({
  id: z.number().int(),
  accountName: z.string(),
  tier: TierName,
  proxyName: z.string().nullable().describe('The person who acted for the account.'),
  tokenName: z.string().nullable().describe('The API token that spoke for the account.'),
  action: z.string(),
  method: z.string(),
  url: z.string(),
  reqID: z.string(),
  createdAt: MomentText,
  clientIP: z.string(),
  status: z.number().int(),
  siteID: z.number().int().nullable(),
  siteName: z.string().nullable().describe('As the site is called now; null where it is gone or not yours to see.'),
  detail: z.unknown().describe('Before and after, without secrets.'),
})
export type AuditEntry = z.output<typeof AuditEntry>

/** Matches are counted and paged up to this many; to see more, narrow the filter or export. */
export const auditListMax = 10_000
/** The most rows per export. */
export const auditExportMax = 100_000

export const AuditFilter = z.strictObject({
  accountName: Text,
  proxyName: Text,
  url: Text,
  reqID: Text,
  method: z.string().max(16, 'wrongFormat').optional(),
  action: Text.describe('A part of an action, for example `account.` or `signIn.failed`.'),
  siteID: Id.optional().describe('The object: a site.'),
  accountID: Id.optional().describe('The actor, by id.'),
  startTime: Moment.optional(),
  endTime: Moment.optional(),
})
export type AuditFilter = z.output<typeof AuditFilter>

export const auditLog = {
  list: endpoint('logs.audit', 'POST', '/:tier/auditLogs', {
    tiers,
    can: 'audit.read',
    body: Paging.extend(AuditFilter.shape),
    reply: pageOf(AuditEntry).extend({
      isMore: z.boolean().describe('True where more match than are counted.'),
    }),
    kind: 'list',
    summary: 'Lists the actions of one’s own people, and those of others on what one owns, newest first.',
  }),
  export: endpoint('logs.audit.export', 'POST', '/:tier/auditLogs/export', {
    tiers,
    can: 'audit.read',
    audit: true,
    body: AuditFilter,
    kind: 'raw',
    beyond: true,
    summary: 'Exports the same list as CSV, at most 100,000 rows.',
  }),
}
