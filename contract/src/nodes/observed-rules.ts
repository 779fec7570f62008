/**
 * Rules of a zone's WAF rule set that came with it and match more often than before: nodes log their matches but do not
 * refuse anybody because of them, until the operator releases them.
 */
import { z } from 'zod'
import { observedRulesMax } from '../edge/node-configuration.ts'
import { endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'

/** A rule that matches more than this many times as often as before is observed. */
export const moreOften = 3

const before = z.number().int().describe('Requests that the rule of the rule set before matched.')
const now = z.number().int().describe('Of the same requests, those that it matches.')

export const SavedObservedRule = z.object({
  ruleID: z.number().int(),
  isNew: z.boolean().describe('Whether the rule set before had no such rule.'),
  isOfAnswers: z
    .boolean()
    .optional()
    .describe('Whether it is about responses, of which neither the lab nor the shadow asks: it is new or was changed.'),
  benign: z.object({ before, now }).describe('Of the ordinary requests of the lab, at all paranoia levels.'),
  live: z
    .object({ before, now, people: z.number().int().describe('Visitors of the latter who are probably people.') })
    .describe('Of live requests that both were asked about while it was in shadow.'),
})
export type SavedObservedRule = z.output<typeof SavedObservedRule>

/** What is stored for a zone. */
export const SavedObserved = z.object({
  ruleSetId: z.number().int(),
  benign: z.number().int().describe('Ordinary requests that the lab asked.'),
  live: z.number().int().describe('Live requests that both were asked about; 0 where it was not in shadow.'),
  rules: z.array(SavedObservedRule).max(observedRulesMax),
})
export type SavedObserved = z.output<typeof SavedObserved>

export const ObservedRule = SavedObservedRule.extend({
  name: z.string().describe('What the rule is about, as the rule set says it.'),
})
export type ObservedRule = z.output<typeof ObservedRule>

export const ObservedRules = SavedObserved.extend({ rules: z.array(ObservedRule) })
export type ObservedRules = z.output<typeof ObservedRules>

const access = { tiers: ['client'], beyond: true } as const

export const observedRules = {
  list: endpoint('client.zone.wafObserved.list', 'GET', '/client/zone/:zoneId/wafObserved', {
    ...{ ...access, can: 'zones.read', reply: ObservedRules },
    summary:
      'Returns the rules of the zone’s WAF rule set that are only observed, as they match more often than before.',
  }),
  release: endpoint('client.zone.wafObserved.release', 'POST', '/client/zone/:zoneId/wafObserved/release', {
    ...{ ...access, can: 'zones.write' },
    body: z.strictObject({
      ids: z.array(Id).min(1, 'required').max(observedRulesMax, 'itemsExceedLimit').describe('Numbers of the rules.'),
    }),
    summary:
      'Releases rules that are only observed: from now on they count. Those that are not observed are left alone.',
  }),
}
