/** Automatic certificates of all customers of an operator. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { MomentText, QueryId, QuerySmall } from '../fields.ts'
import { Ids, Paging, pageOf } from '../paging.ts'

const AutomaticCertificate = z.object({
  id: z.number().int(),
  domainName: z.string(),
  status: z
    .number()
    .int()
    .describe('0 no certificate, 1 valid, 2 ending soon, 3 ended, 4 being ordered, 5 the order failed.'),
  siteID: z.number().int(),
  siteName: z.string(),
  expired: z.string().describe('RFC 3339; empty while it is being ordered.'),
  updatedAt: MomentText,
  renewAt: MomentText.describe('When a new one is ordered.'),
  detail: z.string().describe('What the authority, or our own look, said of the last order that failed.'),
})
export type AutomaticCertificate = z.output<typeof AutomaticCertificate>

export const automaticCertificates = {
  list: endpoint('client.autoCertificates.list', 'GET', '/client/autoCertificates', {
    tiers: ['client'],
    can: 'domains.read',
    query: Paging.extend({
      domainName: z.string().max(256).optional(),
      status: QuerySmall.optional(),
      siteID: QueryId.optional(),
    }),
    reply: pageOf(AutomaticCertificate),
    kind: 'list',
    summary: 'Lists the domains with automatic certificates.',
  }),
  renew: endpoint('client.autoCertificates.renew', 'POST', '/client/autoCertificates/renew', {
    tiers: ['client'],
    can: 'domains.write',
    body: Ids,
    summary: 'Requests new certificates now.',
  }),
}
