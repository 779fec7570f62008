/** Domains of a site. */
import { z } from 'zod'
import { DomainPattern } from '../domain-name.ts'
import { endpoint } from '../endpoint.ts'
import { Memo, Moment, MomentText, Name, Port } from '../fields.ts'
import { Ids, listOf, pageOf, sorted } from '../paging.ts'

/** round robin · ip hash · least connections · URL hash (gaps B-11). */
export const balances = { roundRobin: 1, ipHash: 2, leastConnections: 3, urlHash: 4 } as const
/** http · https · both (gaps B-10). */
export const schemes = { http: 1, https: 2, both: 3 } as const
/** pending until ownership is proven or the operator approves (gaps, ruling 6). */
export const ownershipStates = ['pending', 'proven', 'approved', 'preview'] as const

/** An IP address or a host name. Where it may lead is checked by the server (private networks, the control plane itself). */
const OriginHost = z
  .string()
  .trim()
  .min(1, 'required')
  .max(253, 'charactersExceedLimit')
  .regex(/^[A-Za-z0-9.:_-]+$/, 'wrongFormat')

export const UpstreamInput = z.strictObject({
  ip: OriginHost.describe('An IP address or a host name of the origin.'),
  port: Port,
  weight: z.number().int('number').min(1, 'number').max(100, 'number').default(1),
  backup: z.boolean().default(false),
  enabled: z.boolean().default(true),
  tls: z.boolean().default(false).describe('Whether the origin is spoken to over TLS.'),
  memo: Memo.default(''),
})
export type UpstreamInput = z.output<typeof UpstreamInput>
export const Upstream = UpstreamInput.extend({ id: z.number().int() })
export type Upstream = z.output<typeof Upstream>

export const DomainInput = z.strictObject({
  name: DomainPattern,
  upstreams: z.array(UpstreamInput).min(1, 'required').max(50, 'itemsExceedLimit'),
  scheme: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(3),
  portMap: z.record(z.string().regex(/^\d{1,5}$/, 'wrongFormat'), Port).default({}),
  tags: z.array(Name).max(20).default([]),
})

const Ownership = z.object({
  state: z.enum(ownershipStates),
  /** The TXT record that proves it: name and value. */
  recordName: z.string(),
  recordValue: z.string(),
})

export const Domain = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.number().int().describe('1 enabled, 0 disabled.'),
  createdAt: MomentText,
  updatedAt: MomentText,
  tags: z.array(z.string()),
  cnameStatuses: z.array(z.number().int()),
  forceSSL: z.boolean(),
  certStatus: z.number().int(),
  scheme: z.number().int(),
  portMap: z.record(z.string(), z.number().int()),
  upstreams: z.array(Upstream),
  balance: z.number().int(),
  autoSSL: z.boolean(),
  cname: z.string(),
  ownership: Ownership,
})
export type Domain = z.output<typeof Domain>

export const DomainSettings = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.number().int(),
  tags: z.array(z.string()),
  forceSSL: z.boolean(),
  autoSSL: z.boolean(),
  balance: z.number().int(),
  scheme: z.number().int(),
  portMap: z.record(z.string(), z.number().int()),
  modules: z.object({ customHeader: z.number().int().describe('0 for none.') }),
  certificate: z.null(),
  cname: z.string(),
  ownership: Ownership,
})

/** What a probe of an origin found, while a person types it. */
export const ProbeResult = z.object({
  reachable: z.boolean(),
  status: z.number().int(),
  /** Milliseconds. */
  took: z.number(),
  detail: z.enum(['ok', 'refused', 'timeout', 'tls', 'dns', 'private', 'protocol']),
})

/** What the DNS says of a domain now. */
const DnsCheck = z.object({
  state: z
    .enum(['absent', 'elsewhere', 'pointing'])
    .describe('No record yet; one that leads elsewhere; one that leads here.'),
  /** Where the name leads: the name of its CNAME, or its addresses. */
  found: z.array(z.string()),
  proof: z.boolean().describe('Whether the TXT record that proves the owner is there.'),
})
export type DnsCheck = z.output<typeof DnsCheck>

const of = '/:tier/site/:siteId'
const flag = z.stringbool()

export const domains = {
  list: endpoint('site.domains.list', 'GET', `${of}/domains`, {
    can: 'domains.read',
    query: sorted('name', 'createdAt', 'updatedAt').extend({
      keywords: z.string().max(256).optional(),
      tags: listOf(z.string()).optional(),
      cnameStatuses: listOf(z.coerce.number().int()).optional(),
      forceSSL: flag.optional(),
      certStatus: z.coerce.number().int().optional(),
      createdAtStart: Moment.optional(),
      createdAtEnd: Moment.optional(),
      updatedAtStart: Moment.optional(),
      updatedAtEnd: Moment.optional(),
    }),
    reply: pageOf(Domain),
    kind: 'list',
    summary: 'Lists the domains of a site.',
  }),
  create: endpoint('site.domains.create', 'POST', `${of}/domains`, {
    can: 'domains.write',
    audit: 'site.domains.create',
    body: z.strictObject({ domains: z.array(DomainInput).min(1, 'required').max(100, 'itemsExceedLimit') }),
    summary: 'Adds domains with their origins: all of them, or none and the reason of each (101009).',
  }),
  remove: endpoint('site.domains.remove', 'DELETE', `${of}/domains`, {
    can: 'domains.write',
    audit: 'site.domains.remove',
    body: Ids,
    summary: 'Removes domains. Ids that do not exist are no error.',
  }),
  settings: endpoint('site.domain.settings', 'GET', `${of}/domain/settings`, {
    can: 'domains.read',
    query: z.strictObject({ domainName: z.string().min(1, 'required').max(253) }),
    reply: DomainSettings,
    summary: 'The settings of one domain.',
  }),
  upstreams: endpoint('site.domain.upstreams.list', 'GET', `${of}/domain/:domainId/upstreams`, {
    can: 'domains.read',
    query: z.strictObject({
      page: z.coerce.number().int().min(1).default(1),
      pageSize: z.coerce.number().int().min(1).max(500).default(10),
    }),
    reply: pageOf(Upstream),
    kind: 'list',
    summary: 'Lists the origins of a domain.',
  }),
  addUpstreams: endpoint('site.domain.upstreams.create', 'POST', `${of}/domain/:domainId/upstreams`, {
    can: 'domains.write',
    audit: 'site.domain.upstreams.create',
    body: z.strictObject({ upstreams: z.array(UpstreamInput).min(1, 'required').max(50, 'itemsExceedLimit') }),
    summary: 'Adds origins to a domain.',
  }),
  removeUpstreams: endpoint('site.domain.upstreams.remove', 'DELETE', `${of}/domain/:domainId/upstreams`, {
    can: 'domains.write',
    audit: 'site.domain.upstreams.remove',
    body: Ids,
    summary: 'Removes origins of a domain; one enabled must stay (401008).',
  }),
  updateUpstream: endpoint('site.domain.upstream.update', 'PUT', `${of}/domain/:domainId/upstream`, {
    can: 'domains.write',
    audit: 'site.domain.upstream.update',
    body: UpstreamInput.extend({ id: z.number().int().positive() }),
    summary: 'Changes an origin of a domain.',
  }),
  prove: endpoint('site.domain.prove', 'POST', `${of}/domain/:domainId/prove`, {
    can: 'domains.write',
    audit: 'site.domain.prove',
    reply: z.object({ state: z.enum(ownershipStates) }),
    beyond: true,
    summary: 'Looks for the TXT record that proves a domain’s owner.',
  }),
  dns: endpoint('site.domain.dns', 'GET', `${of}/domain/:domainId/dns`, {
    can: 'domains.read',
    reply: DnsCheck,
    beyond: true,
    summary: 'Looks up where a domain’s DNS leads, and whether its TXT record is there. Changes nothing.',
  }),
  approve: endpoint('client.site.domain.approve', 'POST', '/client/site/:siteId/domain/:domainId/approve', {
    tiers: ['client'],
    can: 'domains.write',
    audit: 'client.site.domain.approve',
    beyond: true,
    summary: 'The operator vouches for a domain’s owner.',
  }),
  probe: endpoint('site.origin.probe', 'POST', `${of}/origin/probe`, {
    can: 'domains.write',
    body: z.strictObject({
      ip: OriginHost,
      port: Port,
      tls: z.boolean().default(false),
      hostHeader: z.string().max(253).default(''),
    }),
    reply: ProbeResult,
    beyond: true,
    summary: 'Tries an origin once, as the edge would.',
  }),
}
