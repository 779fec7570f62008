/** Sites: lists, one site, making one, its publish status. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { MomentText, Name } from '../fields.ts'
import { RolloutStep } from '../nodes/rollout-step.ts'
import { listOf, Paging, pageOf, sorted } from '../paging.ts'

/** Account status set B (gaps L-17): pause 0 · normal 1 · limit 2. */
export const siteStatuses = { pause: 0, normal: 1, limit: 2 } as const

const Limitations = z.object({ domains: z.number().int(), ports: z.number().int(), trafficBytes: z.number().int() })

export const Site = z.object({
  siteID: z.number().int(),
  siteName: z.string(),
  status: z.number().int(),
  statusName: z.enum(['pause', 'normal', 'limit']),
  tags: z.array(z.string()),
  productID: z.number().int(),
  productName: z.string(),
  limitations: Limitations,
  expired: MomentText.nullable(),
  forceBackup: z.boolean(),
  /** The revision that is saved. */
  revision: z.number().int(),
  domainCount: z.number().int(),
  createdAt: MomentText,
})
export type Site = z.output<typeof Site>

const OperatorSite = Site.extend({ user: z.object({ id: z.number().int(), name: z.string() }) })

/** How to reach a site before its DNS points here. */
const Preview = z.object({
  host: z.string().describe('Works at once where browser and node share a machine.'),
  cname: z
    .string()
    .describe('What the customer’s DNS points to; empty where the operator has no DNS zone for its edge.'),
  httpPort: z.number().int(),
  httpsPort: z.number().int(),
  nodeAddress: z.string().describe('For curl --resolve.'),
})
export const SiteDetail = Site.extend({ zoneID: z.number().int(), zoneName: z.string(), preview: Preview })
export type SiteDetail = z.output<typeof SiteDetail>

/** Saved → live on n of m nodes, computed from the nodes' watermarks. */
export const PublishStatus = z.object({
  revision: z.number().int(),
  savedAt: MomentText,
  nodes: z.number().int(),
  live: z.number().int(),
  waiting: z.array(z.object({ node: z.string(), lastSeen: MomentText.nullable() })),
  refused: z.array(z.object({ node: z.string(), revision: z.number().int(), reason: z.string() })),
  /** Where the revision is part of a change of many sites that goes in steps, or was taken back with its reason. */
  rollout: z
    .object({ step: RolloutStep, state: z.enum(['running', 'returned']), reason: z.string(), since: MomentText })
    .nullable()
    .default(null),
})
export type PublishStatus = z.output<typeof PublishStatus>

const filters = {
  siteName: z.string().max(256).optional(),
  tags: listOf(z.string()).optional(),
  status: z.coerce.number().int().optional(),
}

export const sites = {
  listOwn: endpoint('user.sites.list', 'GET', '/user/sites', {
    tiers: ['user'],
    can: 'sites.read',
    query: Paging.extend({ ...filters, productID: z.coerce.number().int().optional() }),
    reply: pageOf(Site),
    kind: 'list',
    summary: 'Lists one’s own sites.',
  }),
  listAll: endpoint('client.sites.list', 'GET', '/client/sites', {
    tiers: ['client'],
    can: 'sites.read',
    query: sorted('siteID', 'siteName', 'createdAt').extend({
      ...filters,
      siteID: z.coerce.number().int().optional(),
      productName: z.string().max(256).optional(),
      userID: z.coerce.number().int().optional(),
    }),
    reply: pageOf(OperatorSite),
    kind: 'list',
    summary: 'Lists the sites of all customers.',
  }),
  meta: endpoint('site.meta', 'GET', '/:tier/metaSites', {
    can: 'sites.read',
    reply: pageOf(z.object({ siteID: z.number().int(), siteName: z.string() })),
    kind: 'list',
    summary: 'Ids and names of all sites, unpaged.',
  }),
  get: endpoint('site.get', 'GET', '/:tier/site/:siteId', {
    can: 'sites.read',
    reply: SiteDetail,
    summary: 'One site.',
  }),
  create: endpoint('user.site.create', 'POST', '/user/site', {
    tiers: ['user'],
    can: 'sites.create',
    audit: 'site.create',
    body: z.strictObject({
      siteName: Name,
      productID: z.number().int().positive().optional(),
      tags: z.array(Name).max(20).default([]),
    }),
    reply: z.object({ siteID: z.number().int() }),
    beyond: true,
    summary: 'Makes a site on a product marked self-service (gaps, ruling 10).',
  }),
  remove: endpoint('user.site.remove', 'DELETE', '/user/site', {
    tiers: ['user'],
    can: 'sites.remove',
    audit: 'site.remove',
    body: z.strictObject({
      siteID: z.number().int().positive(),
      siteName: z.string().describe('Typed again to confirm.'),
    }),
    beyond: true,
    summary: 'Removes a site with its domains, rules, keys and cached objects.',
  }),
  publishStatus: endpoint('site.publish.status', 'GET', '/:tier/site/:siteId/publish', {
    can: 'sites.read',
    reply: PublishStatus,
    beyond: true,
    summary: 'On how many nodes the saved revision is live.',
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
    summary: 'What the account uses.',
  }),
}
