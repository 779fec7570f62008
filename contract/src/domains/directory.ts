/** Domains of all sites that the caller sees: to choose from, to search, and the operator's list. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, MomentText, QueryId, QuerySmall } from '../fields.ts'
import { listOf, pageOf, sorted } from '../paging.ts'
import { OwnershipState } from './domains.ts'

const Keyword = z.string().max(256, 'charactersExceedLimit')
const Found = z.object({ id: z.number().int(), name: z.string(), siteID: z.number().int() })
/** At most 500. */
const FoundPage = pageOf(Found).extend({ isMore: z.boolean() })
const TagPage = pageOf(z.object({ tag: z.string() }))
const SiteIds = z.array(Id).max(1000, 'itemsExceedLimit').default([]).describe('Empty for all.')

export const ListedDomain = z.object({
  id: z.number().int(),
  domainName: z.string(),
  siteID: z.number().int(),
  siteName: z.string(),
  tags: z.array(z.string()),
  status: z.number().int(),
  ownership: OwnershipState,
  cnameStatuses: z.array(z.number().int()),
  user: z.object({ name: z.string() }),
  createdAt: MomentText,
})
export type ListedDomain = z.output<typeof ListedDomain>

export const domainDirectory = {
  list: endpoint('client.domains.list', 'GET', '/client/domains', {
    tiers: ['client'],
    can: 'domains.read',
    query: sorted('domainName', 'siteName', 'createdAt').extend({
      domainName: Keyword.optional().describe('Part of a name.'),
      siteID: QueryId.optional(),
      tags: listOf(z.string()).optional(),
      status: QuerySmall.optional(),
      ownership: OwnershipState.optional(),
    }),
    reply: pageOf(ListedDomain),
    kind: 'list',
    summary: 'Lists the domains of all customers.',
  }),
  allTags: endpoint('client.domains.tags.list', 'GET', '/client/domains/tags', {
    tiers: ['client'],
    can: 'domains.read',
    reply: TagPage,
    kind: 'list',
    summary: 'Lists the tags of all customers’ domains, unpaged.',
  }),
  meta: endpoint('domains.meta', 'POST', '/:tier/domains/meta', {
    can: 'domains.read',
    body: z.strictObject({
      siteIDs: SiteIds,
      tags: z.array(z.string()).max(100).default([]),
      keyword: Keyword.default(''),
    }),
    reply: FoundPage,
    kind: 'list',
    summary: 'Lists ids and names of the domains of several sites, at most 500.',
  }),
  tags: endpoint('domains.tags', 'POST', '/:tier/domains/tags', {
    can: 'domains.read',
    body: z.strictObject({ siteIDs: SiteIds }),
    reply: TagPage,
    kind: 'list',
    summary: 'Lists the tags of the domains of several sites, unpaged.',
  }),
  ids: endpoint('domains.ids', 'GET', '/:tier/domains/ids', {
    can: 'domains.read',
    query: z.strictObject({
      name: Keyword.optional().describe('Part of a name.'),
      siteName: Keyword.optional(),
      siteID: QueryId.optional(),
    }),
    reply: FoundPage,
    kind: 'list',
    summary: 'Finds domains by part of their name, at most 500.',
  }),
}
