/**
 * What an operator does with the sites of its customers: creates, pauses, limits, moves and removes them, many at a
 * time.
 */
import { z } from 'zod'
import { BasedOn } from '../based-on.ts'
import { endpoint } from '../endpoint.ts'
import { numberOf } from '../enumeration.ts'
import { Id, Moment, Name } from '../fields.ts'
import { Limitations } from './limitations.ts'
import { SiteTags } from './site-tags.ts'

/** The most sites of a bulk call, which changes all of them or none. */
export const SiteIds = z.array(Id).min(1, 'required').max(1000, 'itemsExceedLimit')

/** Account status set B. */
export const siteStatuses = { pause: 0, normal: 1, limit: 2 } as const

/** How many days an expired site is still served. */
export const expiryGraceDays = 3

const Expiry = Moment.nullable().describe(
  'From when on the site is expired: three days later the edge answers 403. Null for never.',
)

const own = { tiers: ['client'], can: 'sites.write' } as const

export const operatorSites = {
  create: endpoint('client.site.create', 'POST', '/client/site', {
    tiers: ['client'],
    can: 'sites.create',
    body: z.strictObject({
      siteName: Name,
      productID: Id,
      userID: Id.describe('An account of the customer whose site it is.'),
      expired: Expiry.default(null),
      limitations: Limitations.optional().describe('Absent for the product’s.'),
      tags: SiteTags.default([]),
    }),
    reply: z.object({ siteID: z.number().int() }),
    summary: 'Creates a site for a customer on any product (204003, 205001).',
  }),
  update: endpoint('client.site.update', 'PATCH', '/client/site', {
    ...own,
    body: z.strictObject({ siteID: Id, siteName: Name, basedOn: BasedOn }),
    summary: 'Renames a site.',
  }),
  remove: endpoint('client.site.remove', 'DELETE', '/client/site', {
    tiers: ['client'],
    can: 'sites.remove',
    body: z.strictObject({ siteIDs: SiteIds }),
    summary:
      'Removes sites, all or none. Refused while one of them has an enabled domain (205003). Ids that do not exist are no error.',
  }),
  changeProduct: endpoint('client.site.product.change', 'PATCH', '/client/site/product/change', {
    ...own,
    body: z.strictObject({ siteIDs: SiteIds, productID: Id }),
    summary: 'Moves sites to another product and its groups (204003; across port types 205004, 205005).',
  }),
  refreshProduct: endpoint('client.site.product.refresh', 'PATCH', '/client/site/product/refresh', {
    ...own,
    body: z.strictObject({ siteIDs: SiteIds }),
    summary: 'Applies the current limits of their product to sites.',
  }),
  setStatus: endpoint('client.site.status', 'PATCH', '/client/site/status', {
    ...own,
    body: z.strictObject({
      siteIDs: SiteIds,
      status: numberOf('SiteStatusValue', 'Whether a site serves', siteStatuses),
    }),
    summary: 'Pauses or resumes sites. Limited (205006) and expired (205002) sites cannot be resumed this way.',
  }),
  setLimitations: endpoint('client.site.limitations', 'PATCH', '/client/site/limitations', {
    ...own,
    body: z.strictObject({ siteIDs: SiteIds, limitations: Limitations }),
    summary: 'Sets the limits of sites.',
  }),
  setExpired: endpoint('client.site.expired', 'PATCH', '/client/site/expired', {
    ...own,
    body: z.strictObject({ siteIDs: SiteIds, expired: Expiry }),
    summary: 'Sets when sites expire.',
  }),
  setForceBackup: endpoint('client.site.forceBackup', 'PATCH', '/client/site/forceBackup', {
    ...own,
    body: z.strictObject({ siteIDs: SiteIds, forceBackup: z.boolean() }),
    summary: 'Switches sites to the backup groups of their product, or back to the main ones.',
  }),
  clearCache: endpoint('client.site.currentCache.clear', 'DELETE', '/client/site/currentCache', {
    tiers: ['client'],
    can: 'cache.purge',
    body: z.strictObject({ siteIDs: SiteIds }),
    summary: 'Purges all cached objects of sites.',
  }),
}
