/** Allow list and deny list (`whitelists`, `blacklists` on the wire): addresses, limited to URLs and methods. An allow list always wins over a ban. */
import { z } from 'zod'
import { IpList } from '../addresses.ts'
import { MethodValues, methods, UrlRegex } from '../fields.ts'
import { RuleMeta, ruleList } from '../rule-list.ts'

export const IpRule = z.object({
  urlRegex: UrlRegex.or(z.literal('')).default('').describe('Empty means every URL.'),
  methodValues: MethodValues.default([...methods]),
  ips: IpList,
  ...RuleMeta.shape,
})
export type IpRule = z.output<typeof IpRule>

export const denyRules = ruleList('denyRules', {
  ids: { one: 'site.firewall.l7.blacklist', many: 'site.firewall.l7.blacklists' },
  paths: { one: 'firewall/l7/blacklist', many: 'firewall/l7/blacklists' },
  item: IpRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 100,
  noun: 'deny rule',
})

export const allowRules = ruleList('allowRules', {
  ids: { one: 'site.firewall.l7.whitelist', many: 'site.firewall.l7.whitelists' },
  paths: { one: 'firewall/l7/whitelist', many: 'firewall/l7/whitelists' },
  item: IpRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 100,
  noun: 'allow rule',
})
