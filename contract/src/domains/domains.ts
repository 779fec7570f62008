/** Domains of a site. */
import { z } from 'zod'
import { BasedOn } from '../based-on.ts'
import { DomainPattern } from '../domain-name.ts'
import { originFailures } from '../edge/origin-failures.ts'
import { endpoint } from '../endpoint.ts'
import { numberOf, wordOf } from '../enumeration.ts'
import { Id, Memo, Moment, MomentText, Port, QuerySmall } from '../fields.ts'
import { Ids, listOf, MadeIds, Paging, pageOf, sorted } from '../paging.ts'
import { Tags } from '../sites/site-tags.ts'
import { OriginHost } from './origin-host.ts'

/** How a request's origin is chosen. */
export const balances = { roundRobin: 1, ipHash: 2, leastConnections: 3, urlHash: 4, random: 5 } as const
/** http · https · both. */
export const schemes = { http: 1, https: 2, both: 3 } as const
/** pending until ownership is proven or the operator approves. */
export const ownershipStates = ['pending', 'proven', 'approved', 'preview'] as const
export const OwnershipState = wordOf('OwnershipState', 'How it is known that a domain is one’s own.', ownershipStates)

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

const OriginHealthState = wordOf(
  'OriginHealthState',
  'up passes its checks; resting failed requests and is passed over for a while; down fails its checks.',
  ['up', 'resting', 'down'],
)
const reason = z.string().describe(`Why a check failed: ${originFailures.join(', ')} or status.`)

const OriginEvent = z.object({
  id: z.number().int(),
  origin: z.string(),
  node: z.string(),
  state: OriginHealthState,
  reason,
  createdAt: MomentText,
})
export type OriginEvent = z.output<typeof OriginEvent>

/** An origin and its state on each node. A node that reports nothing uses the origin and has found nothing wrong. */
export const UpstreamSeen = Upstream.extend({
  health: z.array(
    z.object({
      node: z.string(),
      state: OriginHealthState,
      reason,
      since: MomentText.nullable(),
    }),
  ),
})
export type UpstreamSeen = z.output<typeof UpstreamSeen>

export const UpstreamInputs = z.array(UpstreamInput).min(1, 'required').max(50, 'itemsExceedLimit')
/** Over plain HTTP only, over TLS only (plain HTTP is redirected), or both. */
export const DomainScheme = numberOf(
  'Scheme',
  'How visitors reach a domain: http has no TLS, of https plain HTTP is a redirect to it',
  schemes,
)

export const PortMap = z.record(z.string().regex(/^[1-9]\d{0,4}$/, 'wrongFormat'), Port)

export const DomainStatus = numberOf('DomainStatus', 'Whether a domain is served', { disabled: 0, enabled: 1 })
export const Balance = numberOf('Balance', 'How a request’s origin is chosen', balances)

/** 0 none · 1 valid · 2 expiring soon · 3 expired · 4 being ordered · 5 the order failed. */
export const certStatuses = { none: 0, valid: 1, expiring: 2, expired: 3, pending: 4, failed: 5 } as const

/** The certificate that a domain presents in handshakes, and the state of its order if it has one. */
const DomainCertificate = z.object({
  id: z.number().int().describe('0 while it is being ordered.'),
  name: z.string(),
  expired: z.string().describe('RFC 3339; empty while it is being ordered.'),
  detail: z.string().describe('What the authority, or our own look, said of the last order that failed.'),
})

export const DomainInput = z.strictObject({
  name: DomainPattern,
  upstreams: z.array(UpstreamInput).max(50, 'itemsExceedLimit').describe('A disabled domain needs none yet.'),
  status: DomainStatus.default(1),
  balance: Balance.default(1),
  scheme: DomainScheme.default(3),
  portMap: PortMap.default({}),
  tags: Tags(20).default([]),
})

const ProofKind = wordOf('ProofKind', 'What proved a domain’s owner.', ['txt', 'cname', 'file'])
export type ProofKind = z.output<typeof ProofKind>

const Ownership = z.object({
  state: OwnershipState,
  /** The TXT record that proves ownership: name and value. */
  recordName: z.string(),
  recordValue: z.string(),
  /**
   * Alternatively the file that proves ownership, with the same value: its path on the host. Empty for wildcards, which
   * no file can prove.
   */
  filePath: z.string(),
})

/** The modules that the domain is bound to; 0 for none. */
const BoundModules = z.object({
  cors: z.number().int(),
  customHeader: z.number().int(),
  urlRedirect: z.number().int(),
  proxyRewrite: z.number().int(),
  tokenAuth: z.number().int(),
  waf: z.number().int(),
  luaAcl: z.number().int(),
})

export const Domain = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.number().int().describe('1 enabled, 0 disabled.'),
  createdAt: MomentText,
  updatedAt: MomentText,
  tags: z.array(z.string()),
  cnameStatuses: z
    .array(z.number().int())
    .describe('Where its DNS was last seen to lead: 0 unchecked, 1 here, 2 elsewhere, 3 nowhere.'),
  checkedAt: MomentText.nullable(),
  forceSSL: z.boolean(),
  certStatus: z
    .number()
    .int()
    .describe('0 no certificate, 1 valid, 2 ending soon, 3 ended, 4 being ordered, 5 the order failed.'),
  scheme: z.number().int().describe('1 http, 2 https, 3 both.'),
  portMap: z.record(z.string(), z.number().int()),
  upstreams: z.array(Upstream),
  balance: z.number().int(),
  autoSSL: z.boolean(),
  cname: z.string(),
  ownership: Ownership,
  modules: BoundModules,
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
  scheme: z.number().int().describe('1 http, 2 https, 3 both.'),
  portMap: z.record(z.string(), z.number().int()),
  modules: BoundModules,
  certificate: DomainCertificate.nullable(),
  certStatus: z.number().int(),
  cname: z.string(),
  ownership: Ownership,
  challengeRecord: z
    .object({ name: z.string(), value: z.string() })
    .nullable()
    .describe(
      'The CNAME that proves the name to certificate authorities over DNS: for a wildcard, and for a name that does not lead here yet. Null where the operator has no DNS provider.',
    ),
})

/** What a probe of an origin found, while a person is typing its address. */
export const ProbeResult = z.object({
  reachable: z.boolean(),
  status: z.number().int(),
  /** Milliseconds. */
  took: z.number(),
  detail: wordOf('ProbeResult', 'How the origin answered.', [
    'ok',
    'refused',
    'timeout',
    'tls',
    'dns',
    'private',
    'protocol',
  ]),
})

/** What the DNS says about a domain now. */
const DnsCheck = z.object({
  state: wordOf('DnsState', 'Where the name leads: absent has no record yet, pointing leads here.', [
    'absent',
    'elsewhere',
    'pointing',
  ]),
  /** Where the name points: its CNAME target, or its addresses. */
  found: z.array(z.string()),
  proof: z.boolean().describe('Whether the TXT record that proves the owner is there.'),
})
export type DnsCheck = z.output<typeof DnsCheck>

/** An origin that a name points to now, and how it responds for that name. */
const FoundOrigin = z.object({ ip: z.string(), port: z.number().int(), tls: z.boolean(), probe: ProbeResult })

const of = '/:tier/site/:siteId'
const flag = z.stringbool()

export const domains = {
  list: endpoint('site.domains.list', 'GET', `${of}/domains`, {
    can: 'domains.read',
    query: sorted('name', 'createdAt', 'updatedAt').extend({
      keywords: z.string().max(256).optional(),
      tags: listOf(z.string()).optional(),
      cnameStatuses: listOf(QuerySmall).optional(),
      forceSSL: flag.optional(),
      certStatus: QuerySmall.optional(),
      createdAtStart: Moment.optional(),
      createdAtEnd: Moment.optional(),
      updatedAtStart: Moment.optional(),
      updatedAtEnd: Moment.optional(),
      status: QuerySmall.optional(),
      ownership: OwnershipState.optional(),
    }),
    reply: pageOf(Domain),
    kind: 'list',
    summary: 'Lists the domains of a site.',
  }),
  create: endpoint('site.domains.create', 'POST', `${of}/domains`, {
    can: 'domains.write',
    body: z.strictObject({ domains: z.array(DomainInput).min(1, 'required').max(1000, 'itemsExceedLimit') }),
    reply: MadeIds,
    summary: 'Adds domains with their origins. All or none; 101009 gives the reason for each.',
  }),
  remove: endpoint('site.domains.remove', 'DELETE', `${of}/domains`, {
    can: 'domains.write',
    body: Ids,
    summary: 'Removes domains. Ids that do not exist are no error.',
  }),
  settings: endpoint('site.domain.settings', 'GET', `${of}/domain/settings`, {
    can: 'domains.read',
    query: z.strictObject({ domainName: z.string().min(1, 'required').max(253) }),
    reply: DomainSettings,
    summary: 'Returns the settings of a domain.',
  }),
  upstreams: endpoint('site.domain.upstreams.list', 'GET', `${of}/domain/:domainId/upstreams`, {
    can: 'domains.read',
    query: Paging,
    reply: pageOf(UpstreamSeen),
    kind: 'list',
    summary: 'Lists the origins of a domain.',
  }),
  originEvents: endpoint('site.domain.originEvents.list', 'GET', `${of}/domain/:domainId/originEvents`, {
    can: 'domains.read',
    query: Paging,
    reply: pageOf(OriginEvent),
    beyond: true,
    kind: 'list',
    summary:
      'When nodes began to pass over origins of a domain, and when they asked them again; 30 days, newest first.',
  }),
  addUpstreams: endpoint('site.domain.upstreams.create', 'POST', `${of}/domain/:domainId/upstreams`, {
    can: 'domains.write',
    body: z.strictObject({ upstreams: z.array(UpstreamInput).min(1, 'required').max(50, 'itemsExceedLimit') }),
    reply: MadeIds,
    summary: 'Adds origins to a domain.',
  }),
  removeUpstreams: endpoint('site.domain.upstreams.remove', 'DELETE', `${of}/domain/:domainId/upstreams`, {
    can: 'domains.write',
    body: Ids,
    summary: 'Removes origins of a domain. At least one enabled origin must stay (401008).',
  }),
  updateUpstream: endpoint('site.domain.upstream.update', 'PUT', `${of}/domain/:domainId/upstream`, {
    can: 'domains.write',
    body: UpstreamInput.extend({ id: Id, basedOn: BasedOn }),
    summary: 'Updates an origin of a domain.',
  }),
  prove: endpoint('site.domain.prove', 'POST', `${of}/domain/:domainId/prove`, {
    can: 'domains.write',
    reply: z.object({ state: OwnershipState, by: ProofKind.optional() }),
    beyond: true,
    summary: 'Checks the ownership of a domain: by the TXT record, the file on the host, or a CNAME to the site.',
  }),
  dns: endpoint('site.domain.dns', 'GET', `${of}/domain/:domainId/dns`, {
    can: 'domains.read',
    reply: DnsCheck,
    beyond: true,
    summary: 'Looks up where a domain’s DNS points and whether its TXT record exists. Changes nothing.',
  }),
  approve: endpoint('client.site.domain.approve', 'POST', '/client/site/:siteId/domain/:domainId/approve', {
    tiers: ['client'],
    can: 'domains.write',
    beyond: true,
    summary: 'Approves a domain’s ownership as the operator.',
  }),
  findOrigin: endpoint('user.origin.find', 'POST', '/user/origin/find', {
    tiers: ['user'],
    can: 'domains.write',
    audit: false,
    body: z.strictObject({
      domain: DomainPattern,
      origin: z.strictObject({ ip: OriginHost, port: Port, tls: z.boolean() }).optional().describe('Tried instead.'),
    }),
    reply: z.object({
      origin: FoundOrigin.nullable().describe('Null where the name has no record yet, or leads to the edge already.'),
    }),
    beyond: true,
    summary: 'Finds the likely origin of a domain from its current DNS. Changes nothing.',
  }),
  probe: endpoint('site.origin.probe', 'POST', `${of}/origin/probe`, {
    can: 'domains.write',
    audit: false,
    body: z.strictObject({
      ip: OriginHost,
      port: Port,
      tls: z.boolean().default(false),
      hostHeader: z
        .string()
        .max(253, 'charactersExceedLimit')
        .regex(/^[A-Za-z0-9.:_-]*$/, 'wrongFormat')
        .default(''),
    }),
    reply: ProbeResult,
    beyond: true,
    summary: 'Sends one test request to an origin, as the edge would.',
  }),
}
