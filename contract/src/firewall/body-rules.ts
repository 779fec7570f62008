/** Body rules: refuse requests whose body holds a text. The body is read only when the URL and method of a rule match; everything else streams. */
import { z } from 'zod'
import { MethodValues, UrlRegex } from '../fields.ts'
import { RuleMeta, ruleList } from '../rule-list.ts'

/** The most of a body that is looked at, in bytes. What is longer is refused or passed as `oversize` says. */
export const bodyBytesMax = 65_536

export const BodyRule = z.object({
  urlRegex: UrlRegex,
  methodValues: MethodValues.default(['POST', 'PUT', 'PATCH']),
  contains: z
    .string()
    .min(1, 'required')
    .max(256, 'charactersExceedLimit')
    .describe('The text, compared byte by byte.'),
  oversize: z.enum(['block', 'pass']).default('block').describe('What happens to a body longer than is looked at.'),
  ...RuleMeta.shape,
})
export type BodyRule = z.output<typeof BodyRule>

export const bodyRules = ruleList('bodyRules', {
  ids: { one: 'site.firewall.l7.bodyRule', many: 'site.firewall.l7.bodyRules' },
  paths: { one: 'firewall/l7/bodyRule', many: 'firewall/l7/bodyRules' },
  item: BodyRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 50,
  beyond: true,
  noun: 'body rule',
})
