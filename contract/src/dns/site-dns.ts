/** A site's own records in the operator's DNS, instead of those that all sites of its group share. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { MomentText } from '../fields.ts'
import { Ids, Paging, pageOf } from '../paging.ts'
import { settings } from '../settings.ts'

export const dnsLines = ['default'] as const
/** How long resolvers cache an answer, in seconds. */
export const dnsTtlUsual = 60
const [ttlMin, ttlMax] = [30, 3600]

export const SiteDns = z.strictObject({
  line: wordOf('DnsLine', 'Which visitors are answered so: `default` is all of them.', dnsLines),
  ttl: z
    .number()
    .int('number')
    .min(ttlMin, 'number')
    .max(ttlMax, 'number')
    .describe('How long resolvers keep the answer, in seconds.'),
})
export type SiteDns = z.output<typeof SiteDns>

const DnsRecord = z.object({
  name: z.string(),
  type: wordOf('DnsRecordType', 'A for IPv4, AAAA for IPv6.', ['A', 'AAAA']),
  values: z.array(z.string()).describe('Addresses; none where the record is taken away.'),
  ttl: z.number().int(),
  state: wordOf('DnsRecordState', 'failed: `reason` has the name server’s words, and it is tried again.', [
    'waiting',
    'written',
    'failed',
  ]),
  reason: z.string(),
})
export type DnsRecord = z.output<typeof DnsRecord>

export const siteDns = settings(
  'site',
  'siteDns',
  {
    id: 'site.setting.dns',
    path: 'setting/dns',
    schema: SiteDns,
    reply: SiteDns.extend({
      cname: z.string().describe('What the DNS of the site’s domains points at; empty without a zone of the edge.'),
      isOwn: z.boolean().describe('Whether the site has records of its own.'),
      records: z.array(DnsRecord),
    }),
    read: 'domains.read',
    write: 'domains.write',
    noun: 'site’s own DNS records',
  },
  { line: 'default', ttl: dnsTtlUsual, cname: '', isOwn: false, records: [] },
)

const DnsChange = z.object({
  name: z.string(),
  type: DnsRecord.shape.type,
  before: z.array(z.string()).describe('The addresses that stand there because of us.'),
  after: z.array(z.string()),
  ttl: z.number().int(),
})
export type DnsChange = z.output<typeof DnsChange>

export const siteDnsPlan = {
  plan: endpoint('site.setting.dns.plan', 'POST', '/:tier/site/:siteId/setting/dns/plan', {
    can: 'domains.read',
    body: SiteDns,
    reply: z.array(DnsChange),
    audit: false,
    beyond: true,
    summary: 'Previews the changes to the operator’s DNS with these settings. Saves nothing.',
  }),
}

export const dnsRecords = {
  unprocessed: endpoint('client.setting.dns.unprocessed', 'GET', '/client/setting/dns/unprocessed', {
    tiers: ['client'],
    can: 'settings.read',
    query: Paging,
    reply: pageOf(
      z.object({
        id: z.number().int(),
        type: DnsRecord.shape.type,
        name: z.string(),
        value: z.string().describe('Addresses, separated by spaces; empty where the record is taken away.'),
        reason: z.string(),
        createdAt: MomentText,
      }),
    ),
    kind: 'list',
    summary: 'Lists the records that could not be written to the operator’s DNS.',
  }),
  recovery: endpoint('client.setting.dns.recovery', 'POST', '/client/setting/dns/recovery', {
    tiers: ['client'],
    can: 'settings.write',
    body: Ids,
    summary: 'Retries the records that could not be written to the operator’s DNS.',
  }),
}
