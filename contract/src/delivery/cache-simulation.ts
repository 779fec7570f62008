/** What would happen to a URL: the cache's decision under the rules as they are, or with one that nobody has saved. */
import { z } from 'zod'
import { CacheExplanation } from '../edge/cache-simulation.ts'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { HeaderName, HeaderValue, Id, methods, urlCharsMax } from '../fields.ts'
import { CacheRule, checkCacheRule } from './cache-rules.ts'

const headersMax = 50
const Headers = z
  .array(z.strictObject({ key: HeaderName, value: HeaderValue }))
  .max(headersMax, 'itemsExceedLimit')
  .default([])

export const CacheQuestion = z.strictObject({
  method: wordOf('Method', 'A method of HTTP.', methods).default('GET'),
  url: z
    .string()
    .trim()
    .min(1, 'required')
    .max(urlCharsMax, 'charactersExceedLimit')
    .describe('A URL of one of the site’s domains, or a path of its first.'),
  headers: Headers.describe('Of the request.'),
  answer: z
    .strictObject({
      status: z.number().int('number').min(200, 'number').max(599, 'number').default(200),
      headers: Headers,
    })
    .prefault({})
    .describe('What the origin would answer. Without a content type, it is the usual one of the URL’s extension.'),
  rule: z
    .strictObject(CacheRule.shape)
    .superRefine(checkCacheRule)
    .optional()
    .describe('A rule that nobody has saved, taken for enabled.'),
  id: Id.optional().describe('The rule that it would replace.'),
})
export type CacheQuestion = z.output<typeof CacheQuestion>

export const cacheSimulation = {
  simulate: endpoint('site.cache.simulate', 'POST', '/:tier/site/:siteId/cache/simulation', {
    can: 'cache.read',
    body: CacheQuestion,
    reply: CacheExplanation.extend({
      host: z.string(),
      path: z.string(),
      isUnsaved: z.boolean().describe('Whether the rule that decides is the one that nobody has saved.'),
    }),
    beyond: true,
    summary:
      'Says what the cache would make of a request and its answer: the rule, the key, whether it is stored, and why.',
  }),
}
