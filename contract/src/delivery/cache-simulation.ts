/** The cache's decision about a URL, under the current rules or with an unsaved one. */
import { z } from 'zod'
import { CacheExplanation } from '../edge/cache-simulation.ts'
import { endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { CacheRule, checkCacheRule } from './cache-rules.ts'
import { AskedHeaders, UrlQuestion } from './url-question.ts'

export const CacheQuestion = UrlQuestion.extend({
  answer: z
    .strictObject({
      status: z.number().int('number').min(200, 'number').max(599, 'number').default(200),
      headers: AskedHeaders,
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
