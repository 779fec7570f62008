/** Anti-referer rules of a domain: which pages may use its files. A browser sends the requesting page in Referer. */
import { z } from 'zod'
import { DomainPattern } from '../domain-name.ts'
import { RuleMeta, ruleList } from '../rule-list.ts'
import { UrlRegex } from '../url-regex-field.ts'

export const AntiReferer = z.object({
  urlRegex: UrlRegex.describe('Matched against the canonical path.'),
  referers: z
    .array(DomainPattern)
    .min(1, 'required')
    .max(100, 'itemsExceedLimit')
    .describe('Names of sites; `*.example.com` for all names below it.'),
  isBlack: z
    .boolean()
    .default(false)
    .describe(
      'True refuses pages of these sites; false refuses those of all others. Pages of the domain itself may always.',
    ),
  allowEmpty: z
    .boolean()
    .default(true)
    .describe('Whether requests without a Referer pass: programs, and browsers that hide it.'),
  ...RuleMeta.shape,
})
export type AntiReferer = z.output<typeof AntiReferer>

export const antiReferers = ruleList('antiReferers', {
  owner: 'domain',
  ids: { one: 'site.domain.antiReferer', many: 'site.domain.antiReferers' },
  paths: { one: 'antiReferer', many: 'antiReferers' },
  item: AntiReferer,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 100,
  noun: 'anti-referer rule',
})
