/** Anti-header rules of a domain: like header rules of a site, but evaluated before them. */

import { ruleList } from '../rule-list.ts'
import { HeaderRule } from './header-rules.ts'

export const antiHeaders = ruleList('antiHeaders', {
  owner: 'domain',
  ids: { one: 'site.domain.antiHeader', many: 'site.domain.antiHeaders' },
  paths: { one: 'antiHeader', many: 'antiHeaders' },
  item: HeaderRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 100,
  noun: 'anti-header rule',
})
