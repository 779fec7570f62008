/** Cache rules (`setting/caches` on the wire) and purges. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Priority, urlCharsMax } from '../fields.ts'
import { orderedRuleList, RuleMeta } from '../rule-list.ts'

/** File type groups (constants, `fileType.*`). */
export const fileTypes = {
  image: ['gif', 'png', 'jpg', 'jpeg', 'bmp'],
  page: ['html', 'htm', 'shtml', 'js', 'css', 'woff2'],
  audioVideo: ['mp3', 'wma', 'flv', 'mp4', 'wmv'],
  file: ['ipa', 'apk'],
} as const

export const CacheRule = z.object({
  type: z.enum(['path', 'extension', 'image', 'page', 'audioVideo', 'file']),
  values: z
    .array(
      z
        .string()
        .trim()
        .min(1, 'required')
        .max(256, 'charactersExceedLimit')
        .regex(/^[\x21-\x7e\x80-\uffff]+$/, 'wrongFormat'),
    )
    .max(100, 'itemsExceedLimit')
    .default([])
    .describe('Path prefixes or extensions; empty for the file type groups.'),
  ttl: z.number().int('number').min(0, 'number').max(31_536_000, 'number').describe('Seconds; 0 means do not store.'),
  ignoreQuery: z.boolean().default(false),
  priority: Priority.default(100),
  ...RuleMeta.shape,
})

export type CacheRule = z.output<typeof CacheRule>

export const cacheRules = orderedRuleList('cacheRules', {
  ids: { one: 'site.setting.cache', many: 'site.setting.caches' },
  paths: { one: 'setting/cache', many: 'setting/caches' },
  item: CacheRule,
  read: 'cache.read',
  write: 'cache.write',
  max: 200,
  noun: 'cache rule',
})

export const Purge = z.strictObject({
  type: z.enum(['all', 'url', 'prefix', 'tag']),
  urls: z
    .array(z.string().trim().min(1, 'required').max(urlCharsMax, 'charactersExceedLimit'))
    .max(1000, 'itemsExceedLimit')
    .default([])
    .describe('URLs, URL prefixes or tags, as the type says; empty for all.'),
})
export type Purge = z.output<typeof Purge>

export const cache = {
  clear: endpoint('site.cache.clear', 'DELETE', '/:tier/site/:siteId/cache', {
    can: 'cache.purge',
    audit: 'site.cache.clear',
    body: Purge,
    reply: z.object({ taskID: z.number().int() }),
    summary: 'Purges cached objects of a site on every node that serves it: all, by URL, by prefix or by tag.',
  }),
  purgeStatus: endpoint('site.cache.purge', 'GET', '/:tier/site/:siteId/cache/purge/:taskId', {
    can: 'cache.read',
    reply: z.object({
      done: z.number().int(),
      nodes: z.number().int(),
      failed: z.array(z.object({ node: z.string(), detail: z.string() })),
    }),
    beyond: true,
    summary: 'On how many nodes a purge is done.',
  }),
}
