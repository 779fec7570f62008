/** Tags of sites: at most 20 of 64 characters, compared case-insensitively. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, Name } from '../fields.ts'
import { pageOf } from '../paging.ts'

const Tag = Name.max(64, 'charactersExceedLimit')

/** Tags as they are saved: of tags that differ only in case, the first. */
export const Tags = (max: number) =>
  z
    .array(Tag)
    .max(max, 'itemsExceedLimit')
    .transform((tags) => tags.filter((tag, at) => tags.findIndex((one) => sameTag(one, tag)) === at))

const sameTag = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

export const SiteTags = Tags(20)

export const siteTags = {
  list: endpoint('site.tags.list', 'GET', '/:tier/site/tags', {
    can: 'sites.read',
    reply: pageOf(z.object({ tag: z.string() })),
    kind: 'list',
    summary: 'Lists the tags of all visible sites, unpaged.',
  }),
  update: endpoint('site.tags.update', 'PUT', '/:tier/site/tags', {
    can: 'sites.write',
    body: z.strictObject({ siteIDs: z.array(Id).min(1, 'required').max(1000, 'itemsExceedLimit'), tags: SiteTags }),
    summary: 'Replaces the tags of sites.',
  }),
  set: endpoint('site.tags.set', 'PUT', '/:tier/site/:siteId/tags', {
    can: 'sites.write',
    body: z.strictObject({ tags: SiteTags }),
    summary: 'Replaces the tags of a site.',
  }),
}
