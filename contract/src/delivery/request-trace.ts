/**
 * A request trace: what each guard and module would do with a request, in edge order, under the site's saved
 * configuration.
 */
import { z } from 'zod'
import { parseAddress } from '../addresses.ts'
import { Explanation } from '../edge/explain.ts'
import { endpoint } from '../endpoint.ts'
import { UrlQuestion } from './url-question.ts'

/** By default, neither the WAF nor the API shield inspects the whole of a longer body. */
export const tracedBodyMax = 65_536

export const TraceQuestion = UrlQuestion.extend({
  body: z.string().max(tracedBodyMax, 'charactersExceedLimit').optional().describe('Of the request, as text.'),
  address: z
    .string()
    .trim()
    .max(64, 'wrongFormat')
    .refine((text) => parseAddress(text) !== undefined, 'wrongFormat')
    .optional()
    .describe('The visitor’s IPv4 or IPv6 address; the caller’s own where it is left out.'),
  hasPassedChallenge: z
    .boolean()
    .default(false)
    .describe('Whether the visitor has passed the challenge that is asked.'),
})
export type TraceQuestion = z.output<typeof TraceQuestion>

export const RequestTrace = z.object({
  host: z.string(),
  path: z.string(),
  visitor: z.object({
    address: z.string(),
    country: z
      .string()
      .describe('ISO 3166-1 alpha-2, by the data that the operator’s nodes use; ZZ where it does not know.'),
    asn: z
      .number()
      .int()
      .describe('The number of its network, by the data that the operator’s nodes use; 0 where it does not know.'),
    network: z.string().describe('What the data calls that network; empty where it does not.'),
    score: z.number().int().describe('Of its reputation; 0 where it has none.'),
    isBanned: z.boolean().describe('Whether the site, or a zone that serves it, has banned it now.'),
  }),
  isKnownVisitor: z
    .boolean()
    .describe(
      'Whether its reputation and the zone’s own firewall were asked: a customer learns of them for its own address, and for those that asked the site within a day.',
    ),
  isUnderAttack: z.boolean().describe('Whether the site is under attack now, as its nodes see it.'),
  explanation: Explanation,
})
export type RequestTrace = z.output<typeof RequestTrace>

export const requestTrace = {
  trace: endpoint('site.request.trace', 'POST', '/:tier/site/:siteId/trace', {
    can: 'logs.explain',
    audit: false,
    body: TraceQuestion,
    reply: RequestTrace,
    beyond: true,
    summary:
      'Says what each guard and module would make of a request, as the site is saved now. Nothing is sent to the origin and nothing is counted: the request is the first of its address.',
  }),
}
