/** Preheating: nodes fetch URLs through their own cache before visitors request them. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { urlCharsMax } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'

/** Per call. */
export const preheatUrlsMax = 1000

export const Preheat = z.strictObject({
  urls: z
    .array(z.string().trim().min(1, 'required').max(urlCharsMax, 'charactersExceedLimit'))
    .min(1, 'required')
    .max(preheatUrlsMax, 'itemsExceedLimit')
    .describe('Whole URLs, with http:// or https://; each is fetched as a visitor’s browser would.'),
})

export const PreheatSitemap = z.strictObject({
  url: z
    .string()
    .trim()
    .min(1, 'required')
    .max(urlCharsMax, 'charactersExceedLimit')
    .describe(
      'A sitemap, or an index of sitemaps, of a domain of the site: XML, or XML packed by gzip, of up to 10 MiB a file.',
    ),
})

/** The most failures that a status lists; further ones are only counted. */
export const preheatFailuresMax = 100

export const preheat = {
  create: endpoint('site.cache.preheat.create', 'POST', '/:tier/site/:siteId/cache/preheat', {
    can: 'cache.purge',
    body: Preheat,
    reply: z.object({ taskID: z.number().int() }),
    beyond: true,
    summary: 'Preheats URLs of a site: every node that serves it fetches them into its cache.',
  }),
  status: endpoint('site.cache.preheat.status', 'GET', '/:tier/site/:siteId/cache/preheat/:taskId', {
    can: 'cache.read',
    reply: z.object({
      total: z.number().int().describe('Fetches that are due: URLs times nodes.'),
      done: z.number().int().describe('Fetches after which the node has the URL stored.'),
      failed: z.number().int(),
      nodes: z.number().int(),
      failures: z
        .array(z.object({ url: z.string(), node: z.string(), detail: z.string() }))
        .describe(`The first ${preheatFailuresMax} of those that failed.`),
    }),
    beyond: true,
    summary: 'Returns the progress of a preheat.',
  }),
}

export const preheatSitemap = {
  create: endpoint('site.cache.preheat.sitemap.create', 'POST', '/:tier/site/:siteId/cache/preheat/sitemap', {
    can: 'cache.purge',
    body: PreheatSitemap,
    reply: z.object({
      taskID: z.number().int().describe('Its progress is that of a preheat of URLs.'),
      urls: z.number().int().describe('URLs that nodes fetch.'),
      skipped: z.number().int().describe('URLs of other sites, and texts that are no URL.'),
      isWhole: z
        .boolean()
        .describe(
          `False where more than ${preheatUrlsMax} URLs are named, or a sitemap of an index could not be read.`,
        ),
    }),
    beyond: true,
    summary: 'Preheats the URLs of a sitemap on every node that serves the site.',
  }),
}

export const PreheatedUrl = z.object({
  id: z.number().int(),
  url: z.string(),
  status: wordOf('PreheatStatus', 'How far the nodes are with a URL.', ['running', 'done', 'failed']),
  createdAt: z.string(),
  nodes: z.number().int().describe('Nodes that are there to fetch it.'),
  done: z.number().int().describe('Nodes that have it stored.'),
  failed: z.array(z.object({ node: z.string(), detail: z.string() })),
})
export type PreheatedUrl = z.output<typeof PreheatedUrl>

const place = '/client/zone/:zoneId/setting/preheatCaches'

export const zonePreheat = {
  list: endpoint('client.zone.setting.preheatCaches.list', 'GET', place, {
    tiers: ['client'],
    can: 'zones.read',
    query: Paging,
    reply: pageOf(PreheatedUrl),
    kind: 'list',
    summary: 'Lists the URLs that the nodes of a zone preheated in the last 30 days, newest first.',
  }),
  create: endpoint('client.zone.setting.preheatCaches.create', 'POST', place, {
    tiers: ['client'],
    can: 'zones.write',
    body: Preheat,
    summary: 'Preheats URLs on the nodes of a zone, of sites that the zone serves.',
  }),
}
