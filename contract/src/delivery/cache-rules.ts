/** Cache rules (`setting/caches` on the wire) and purges. */
import { z } from 'zod'
import { isReservedHeader, unkeyedHeaders } from '../edge/header-names.ts'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { HeaderName, Priority, urlCharsMax } from '../fields.ts'
import { orderedRuleList, RuleMeta } from '../rule-list.ts'
import { checkUrlRegex } from '../url-regex.ts'

/** File type groups. */
export const fileTypes = {
  image: ['gif', 'png', 'jpg', 'jpeg', 'bmp'],
  page: ['html', 'htm', 'shtml', 'js', 'css', 'woff2'],
  audioVideo: ['mp3', 'wma', 'flv', 'mp4', 'wmv'],
  file: ['ipa', 'apk'],
} as const

/**
 * Statuses of responses that a rule may store. Partial content (206) and requests for credentials are not among them.
 */
export const storedStatuses = [
  ...[200, 203, 204, 300, 301, 302, 303, 307, 308],
  ...[400, 403, 404, 405, 410, 414, 451, 500, 501, 502, 503, 504],
] as const
const isStoredStatus = (status: number) => (storedStatuses as readonly number[]).includes(status)

const secondsMax = 31_536_000
const Seconds = z.number().int('number').min(0, 'number').max(secondsMax, 'number')

/** Names of one kind: parameters, headers or cookies. */
const names = (name: z.ZodString, max: number) => z.array(name).max(max, 'itemsExceedLimit').default([])
const keyPartsMax = 10
const conditionsMax = 20
/** As it appears in a URL, without characters that separate parameters. */
const ParameterName = z
  .string()
  .min(1, 'required')
  .max(64, 'charactersExceedLimit')
  .regex(/^[\x21-\x7e]+$/, 'wrongFormat')
  .regex(/^[^&=;?#+%]+$/, 'wrongFormat')
const CookieName = z
  .string()
  .min(1, 'required')
  .max(128, 'charactersExceedLimit')
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'wrongFormat')

/** Headers that cannot be part of a rule's cache key: the edge changes or drops them, or they carry credentials. */
const notKeyed = ['cookie', 'authorization', 'origin', 'range', 'if-range', 'if-none-match', 'if-modified-since']
const KeyHeader = HeaderName.refine((name) => {
  const lower = name.toLowerCase()
  return !isReservedHeader(name) && !notKeyed.includes(lower) && !unkeyedHeaders.includes(lower)
}, 'wrongFormat')

export const CacheRule = z.object({
  type: wordOf(
    'CacheRuleType',
    'What a cache rule looks at: a path prefix, an extension, a group of extensions, a whole path, or an expression.',
    ['path', 'extension', 'image', 'page', 'audioVideo', 'file', 'exact', 'regex'],
  ),
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
    .describe('Path prefixes, extensions, paths or expressions; empty for the file type groups.'),
  ttl: Seconds.describe('Seconds at the edge; 0 means do not store.'),
  browserTtl: Seconds.nullable()
    .default(null)
    .describe('Seconds in browsers, which then get no Age; null leaves the origin’s words.'),
  origin: wordOf(
    'CacheOrigin',
    'Whose lifetime counts where both the origin and the rule have one. What the origin forbids (no-store, private, a cookie) stays forbidden.',
    ['override', 'respect'],
  ).default('override'),
  ignoreQuery: z.boolean().default(false),
  query: wordOf('CacheQuery', 'Which parameters of the query are part of the key.', ['all', 'only', 'except']).default(
    'all',
  ),
  queryNames: names(ParameterName, 50).describe('Of `only` and `except`.'),
  keyHeaders: names(KeyHeader, keyPartsMax).describe('Request headers of which each value is stored apart.'),
  keyCookies: names(CookieName, keyPartsMax).describe('Cookies of which each value is stored apart.'),
  keyDevice: z.boolean().default(false).describe('Whether phones, tablets and all others are stored apart.'),
  methods: z
    .array(wordOf('CacheMethod', 'A method that the cache answers.', ['GET', 'HEAD']))
    .refine((methods) => methods.includes('GET'), 'required')
    .default(['GET', 'HEAD'])
    .describe('Without HEAD, such requests go to the origin.'),
  statuses: z
    .array(z.strictObject({ status: z.number().int('number').refine(isStoredStatus, 'wrongFormat'), ttl: Seconds }))
    .max(storedStatuses.length, 'itemsExceedLimit')
    .default([])
    .describe('Statuses with a time of their own, in the place of `ttl`; 0 means do not store.'),
  staleWhileRevalidate: Seconds.nullable()
    .default(null)
    .describe('Seconds for which what has ended is used while it is asked for anew; null leaves the origin’s words.'),
  staleIfError: Seconds.nullable()
    .default(null)
    .describe('Seconds for which what has ended stands in for an origin that fails; null leaves the origin’s words.'),
  bypassCookies: names(CookieName, conditionsMax).describe(
    'Requests with one of these cookies bypass the cache. A name may end in `*`.',
  ),
  bypassHeaders: names(HeaderName, conditionsMax).describe('So do those with one of these headers.'),
  bypassQuery: names(ParameterName, conditionsMax).describe('And those with one of these parameters.'),
  forSignedIn: z
    .boolean()
    .default(false)
    .describe('Whether answers to visitors with a session cookie or credentials are stored too.'),
  slice: z
    .boolean()
    .default(false)
    .describe(
      'Whether objects are fetched and stored in slices of 1 MiB, so that a range of a large file does not fetch all of it. Only where the origin answers ranges with a strong ETag; all else is stored whole.',
    ),
  priority: Priority.default(100),
  ...RuleMeta.pick({ enabled: true, memo: true }).shape,
})

export type CacheRule = z.output<typeof CacheRule>

type Checked = Pick<CacheRule, 'type' | 'values' | 'ignoreQuery' | 'query' | 'queryNames' | 'statuses'>

/**
 * A rule for paths or extensions must name some, or it would match nothing. Its fields must not contradict each other.
 */
export function checkCacheRule(rule: Checked, context: z.RefinementCtx): void {
  const { type, values, ignoreQuery, query, queryNames, statuses } = rule
  const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (!(type in fileTypes) && values.length === 0) refuse(['values'], 'required')
  if (type === 'regex')
    for (const [at, value] of values.entries()) {
      const problem = checkUrlRegex(value)
      if (problem) refuse(['values', at], problem)
    }
  if (ignoreQuery && query !== 'all') refuse(['query'], 'wrongFormat')
  if (query !== 'all' && queryNames.length === 0) refuse(['queryNames'], 'required')
  for (const [at, { status }] of statuses.entries())
    if (statuses.findIndex((other) => other.status === status) < at)
      refuse(['statuses', at, 'status'], 'duplicatedData')
}

export const cacheRules = orderedRuleList('cacheRules', {
  owner: 'site',
  ids: { one: 'site.setting.cache', many: 'site.setting.caches' },
  paths: { one: 'setting/cache', many: 'setting/caches' },
  item: CacheRule,
  read: 'cache.read',
  write: 'cache.write',
  max: 200,
  noun: 'cache rule',
  check: checkCacheRule,
})

export const Purge = z.strictObject({
  type: wordOf('PurgeType', 'What a purge removes.', ['all', 'url', 'prefix', 'tag']),
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
    body: Purge,
    reply: z.object({ taskID: z.number().int() }),
    summary: 'Purges cached objects of a site on every node that serves it: all, by URL, by prefix or by tag.',
  }),
  purgeStatus: endpoint('site.cache.purge', 'GET', '/:tier/site/:siteId/cache/purge/:taskId', {
    can: 'cache.read',
    reply: z.object({
      done: z.number().int(),
      nodes: z.number().int(),
      /** Offline nodes: each purges before it serves again, and then counts among `nodes`. */
      away: z.number().int(),
      failed: z.array(z.object({ node: z.string(), detail: z.string() })),
    }),
    beyond: true,
    summary: 'Returns the progress of a purge: on how many nodes it is done, and how many are offline.',
  }),
}
