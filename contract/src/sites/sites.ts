/** Sites: lists, a single site, creating and removing one, and its publish status. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Id, MomentText, Name, QueryId, QuerySmall } from '../fields.ts'
import { RolloutStep } from '../nodes/rollout-step.ts'
import { listOf, Paging, pageOf, sorted } from '../paging.ts'
import { Limitations } from './limitations.ts'
import { SiteTags } from './site-tags.ts'

export const Site = z.object({
  siteID: z.number().int(),
  siteName: z.string(),
  status: z.number().int(),
  statusName: wordOf('SiteStatus', 'Whether a site serves; one that is expired shows so while nothing else stops it.', [
    'pause',
    'normal',
    'limit',
    'expired',
  ]),
  tags: z.array(z.string()),
  productID: z.number().int(),
  productName: z.string(),
  limitations: Limitations,
  expired: MomentText.nullable(),
  forceBackup: z.boolean(),
  /** The saved revision. */
  revision: z.number().int(),
  domainCount: z.number().int(),
  createdAt: MomentText,
})
export type Site = z.output<typeof Site>

/** The customer that owns the site: its root account. */
const OperatorSite = Site.extend({ user: z.object({ id: z.number().int(), name: z.string() }) })
export type OperatorSite = z.output<typeof OperatorSite>

/** How to reach a site before its DNS points here. */
const Preview = z.object({
  host: z.string().describe('Works at once where browser and node share a machine.'),
  cname: z
    .string()
    .describe('What the customer’s DNS points to; empty where the operator has no DNS zone for its edge.'),
  httpPort: z.number().int(),
  httpsPort: z.number().int(),
  nodeAddress: z.string().describe('For curl --resolve.'),
  addresses: z
    .array(z.string())
    .describe('Of all nodes that serve the site: what DNS points at where there is no CNAME.'),
  addressesArePrivate: z.boolean().describe('Whether none of them can be reached from the internet.'),
})
const Owner = z.object({ id: z.number().int(), name: z.string() })
export const SiteDetail = Site.extend({
  user: Owner.describe('The customer whose site it is.'),
  zoneID: z.number().int(),
  zoneName: z.string(),
  preview: Preview,
})
export type SiteDetail = z.output<typeof SiteDetail>

/** Whether the saved revision is live, and on how many nodes, computed from the nodes' watermarks. */
export const PublishStatus = z.object({
  revision: z.number().int(),
  savedAt: MomentText,
  nodes: z.number().int(),
  live: z.number().int(),
  waiting: z.array(
    z.object({
      node: z.string(),
      lastSeen: MomentText.nullable(),
      isAway: z.boolean().describe('It has not reported for 15 seconds: it takes the revision when it is back.'),
    }),
  ),
  settled: z.boolean().describe('Nothing comes of waiting longer: every node has the revision, refused it or is away.'),
  refused: z.array(z.object({ node: z.string(), revision: z.number().int(), reason: z.string() })),
  /**
   * Set if the revision is part of a change of many sites that is rolled out in steps, or was rolled back, with the
   * reason.
   */
  rollout: z
    .object({
      step: RolloutStep,
      state: wordOf('SiteRolloutState', 'Whether the newest revision is on its way or was taken back.', [
        'running',
        'returned',
      ]),
      reason: z.string(),
      since: MomentText,
    })
    .nullable()
    .default(null),
})
export type PublishStatus = z.output<typeof PublishStatus>

const filters = {
  siteName: z.string().max(256).optional(),
  tags: listOf(z.string()).optional(),
  status: QuerySmall.optional().describe('As `status`; 3 for sites that are expired.'),
}

export const sites = {
  listOwn: endpoint('user.sites.list', 'GET', '/user/sites', {
    tiers: ['user'],
    can: 'sites.read',
    query: Paging.extend({ ...filters, productID: QueryId.optional() }),
    reply: pageOf(Site),
    kind: 'list',
    summary: 'Lists one’s own sites.',
  }),
  listAll: endpoint('client.sites.list', 'GET', '/client/sites', {
    tiers: ['client'],
    can: 'sites.read',
    query: sorted('siteID', 'siteName', 'createdAt').extend({
      ...filters,
      siteID: QueryId.optional(),
      productID: QueryId.optional(),
      productName: z.string().max(256).optional(),
      forceBackup: z.stringbool().optional(),
      userID: QueryId.optional().describe('An account of the customer.'),
    }),
    reply: pageOf(OperatorSite),
    kind: 'list',
    summary: 'Lists the sites of all customers.',
  }),
  meta: endpoint('site.meta', 'GET', '/:tier/metaSites', {
    can: 'sites.read',
    reply: pageOf(z.object({ siteID: z.number().int(), siteName: z.string() })),
    kind: 'list',
    summary: 'Lists ids and names of all sites, unpaged.',
  }),
  get: endpoint('site.get', 'GET', '/:tier/site/:siteId', {
    can: 'sites.read',
    reply: SiteDetail,
    summary: 'Returns a site.',
  }),
  create: endpoint('user.site.create', 'POST', '/user/site', {
    tiers: ['user'],
    can: 'sites.create',
    audit: 'site.create',
    body: z.strictObject({
      siteName: Name,
      productID: Id.optional(),
      tags: SiteTags.default([]),
    }),
    reply: z.object({ siteID: z.number().int() }),
    beyond: true,
    summary: 'Creates a site on a self-service product.',
  }),
  remove: endpoint('user.site.remove', 'DELETE', '/user/site', {
    tiers: ['user'],
    can: 'sites.remove',
    audit: 'site.remove',
    body: z.strictObject({
      siteID: Id,
      siteName: z.string().describe('Typed again to confirm.'),
    }),
    beyond: true,
    summary: 'Removes a site with its domains, rules, keys and cached objects.',
  }),
  publishStatus: endpoint('site.publish.status', 'GET', '/:tier/site/:siteId/publish', {
    can: 'sites.read',
    reply: PublishStatus,
    beyond: true,
    summary: 'Returns on how many nodes the saved revision is live.',
  }),
  resourceInfo: endpoint('user.resourceInfo', 'GET', '/user/resourceInfo', {
    tiers: ['user'],
    can: 'sites.read',
    reply: z.object({
      siteCount: z.number().int(),
      domainCount: z.number().int(),
      currentMonthTraffic: z.number().int().describe('Bytes sent to visitors this month, in the accounting time zone.'),
      lastMonthTraffic: z.number().int(),
    }),
    summary: 'Returns the account’s usage.',
  }),
}
