/**
 * Anti-CC rules (`antiCCs` on the wire): an address that exceeds one of the operator's trigger frequencies is
 * challenged, and banned for a while if it leaves challenges unsolved.
 */
import { z } from 'zod'
import { BlockType, Id, Priority } from '../fields.ts'
import { orderedRuleList, RuleMeta } from '../rule-list.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { edgeRule } from './edge-rule-fields.ts'
import { edgeIntervalFields } from './interval-fields.ts'

const blockSecondsMin = 60
const blockSecondsMax = 86_400

export const AntiCCRule = z.object({
  urlRegex: UrlRegex.describe('Matched against the canonical path.'),
  type: Id.describe('The trigger frequency: the id of one that the operator offers (`setting/frequency`).'),
  priority: Priority.default(100).describe('Lower numbers are asked first.'),
  blockType: BlockType.default(1),
  blockSeconds: z
    .number()
    .int('number')
    .min(blockSecondsMin, 'number')
    .max(blockSecondsMax, 'number')
    .default(600)
    .describe(
      'Seconds for which an address is banned, on every node, that left five challenges unsolved on one within the frequency’s time.',
    ),
  ...RuleMeta.shape,
})
export type AntiCCRule = z.output<typeof AntiCCRule>

/** With the values of its trigger frequency instead of the id. */
export const EdgeAntiCCRule = edgeRule({
  ...edgeIntervalFields,
  blockType: z.number().int().min(1).max(5),
  blockSeconds: z.number().int().min(blockSecondsMin).max(blockSecondsMax),
})
export type EdgeAntiCCRule = z.output<typeof EdgeAntiCCRule>

export const antiCC = orderedRuleList('antiCC', {
  owner: 'site',
  ids: { one: 'site.firewall.l7.antiCC', many: 'site.firewall.l7.antiCCs' },
  paths: { one: 'firewall/l7/antiCC', many: 'firewall/l7/antiCCs' },
  item: AntiCCRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 50,
  noun: 'anti-CC rule',
})
