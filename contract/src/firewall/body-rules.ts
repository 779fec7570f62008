/**
 * Body rules: refuse requests whose body contains a text. The body is read only if the URL and method of a rule match;
 * everything else is streamed.
 */
import { z } from 'zod'
import { wordOf } from '../enumeration.ts'
import { MethodValues } from '../fields.ts'
import { RuleMeta, ruleList } from '../rule-list.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { edgeRule } from './edge-rule-fields.ts'

/** The most of a body that is inspected, in bytes. Longer ones are refused or passed, as `oversize` says. */
export const bodyBytesMax = 65_536

export const BodyRule = z.object({
  urlRegex: UrlRegex,
  methodValues: MethodValues.default(['POST', 'PUT', 'PATCH']),
  contains: z
    .string()
    .min(1, 'required')
    .max(256, 'charactersExceedLimit')
    .describe('The text, compared byte by byte.'),
  oversize: wordOf('OversizeAction', 'What happens to a body longer than is looked at.', ['block', 'pass']).default(
    'block',
  ),
  ...RuleMeta.shape,
})
export type BodyRule = z.output<typeof BodyRule>

export const EdgeBodyRule = edgeRule({
  methods: z.array(z.string()),
  contains: z.string(),
  oversize: z.enum(['block', 'pass']),
})
export type EdgeBodyRule = z.output<typeof EdgeBodyRule>

export const bodyRules = ruleList('bodyRules', {
  owner: 'site',
  ids: { one: 'site.firewall.l7.bodyRule', many: 'site.firewall.l7.bodyRules' },
  paths: { one: 'firewall/l7/bodyRule', many: 'firewall/l7/bodyRules' },
  item: BodyRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 50,
  beyond: true,
  noun: 'body rule',
})
