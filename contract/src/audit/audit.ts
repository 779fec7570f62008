/** The audit log: who did what, when, from where, for whom (gaps B-23). */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { Moment, MomentText } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'

const Text = z.string().max(256, 'charactersExceedLimit').optional()

export const AuditEntry = z.object({
  id: z.number().int(),
  accountName: z.string(),
  tier: z.enum(tiers),
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
  detail: z.unknown().describe('Before and after, without secrets.'),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const auditLog = {
  list: endpoint('logs.audit', 'POST', '/:tier/auditLogs', {
    tiers,
    can: 'audit.read',
    body: Paging.extend({
      accountName: Text,
      proxyName: Text,
      url: Text,
      reqID: Text,
      method: z.string().max(16, 'wrongFormat').optional(),
      action: Text,
      siteID: z.number().int().positive().optional(),
      startTime: Moment.optional(),
      endTime: Moment.optional(),
    }),
    reply: pageOf(AuditEntry),
    kind: 'list',
    summary: 'Lists what was done by one’s people, and by others to what one owns; newest first.',
  }),
}
