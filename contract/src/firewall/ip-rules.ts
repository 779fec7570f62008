/**
 * Allow list and deny list (`whitelists`, `blacklists` on the wire): addresses, limited to URLs and methods. An allow
 * list always takes precedence over a ban.
 */
import { z } from 'zod'
import { IpList } from '../addresses.ts'
import { MethodValues, methods } from '../fields.ts'
import { Hash } from '../hash.ts'
import { RuleMeta, ruleList } from '../rule-list.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { Cidr, edgeRule } from './edge-rule-fields.ts'

export const IpRule = z.object({
  urlRegex: UrlRegex.or(z.literal('')).default('').describe('Empty means every URL.'),
  methodValues: MethodValues.default([...methods]),
  ips: IpList,
  ...RuleMeta.shape,
})
export type IpRule = z.output<typeof IpRule>

export const EdgeIpRule = edgeRule({
  /** Empty for every method. */
  methods: z.array(z.string()),
  /** The canonical text of a short list … */
  ips: z.array(Cidr).optional(),
  /** … or the binary part of a long one. Exactly one of the two. */
  list: Hash.optional(),
}).refine(({ ips, list }) => (ips === undefined) !== (list === undefined), 'needs either ips or a list')
export type EdgeIpRule = z.output<typeof EdgeIpRule>

export const denyRules = ruleList('denyRules', {
  owner: 'site',
  ids: { one: 'site.firewall.l7.blacklist', many: 'site.firewall.l7.blacklists' },
  paths: { one: 'firewall/l7/blacklist', many: 'firewall/l7/blacklists' },
  item: IpRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 100,
  noun: 'deny rule',
})

export const allowRules = ruleList('allowRules', {
  owner: 'site',
  ids: { one: 'site.firewall.l7.whitelist', many: 'site.firewall.l7.whitelists' },
  paths: { one: 'firewall/l7/whitelist', many: 'firewall/l7/whitelists' },
  item: IpRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 100,
  noun: 'allow rule',
})
