/** The pages of a site's settings, in the order of the navigation. */
import type { Permission } from '@breakwater/contract/permissions.ts'
import { Database, Globe, Heading, History, Home, type LucideIcon, Shield, Users } from 'lucide-react'
import type { PlainKey } from './phrases.ts'
import type { SiteTab } from './places.ts'

type Entry = {
  tab: SiteTab
  title: PlainKey<'app'>
  can: Permission
  icon?: LucideIcon
  group?: PlainKey<'app'>
  groupIcon?: LucideIcon
}

export const siteNav: readonly Entry[] = [
  { tab: 'overview', title: 'nav.overview', can: 'sites.read', icon: Home },
  { tab: 'domains', title: 'nav.domains', can: 'domains.read', icon: Globe },
  { tab: 'cache', title: 'nav.cache', can: 'cache.read', icon: Database },
  { tab: 'customHeader', title: 'nav.customHeader', can: 'modules.read', icon: Heading },
  { tab: 'denyList', title: 'nav.denyList', can: 'firewall.read', group: 'nav.security', groupIcon: Shield },
  { tab: 'allowList', title: 'nav.allowList', can: 'firewall.read', group: 'nav.security' },
  { tab: 'rateRules', title: 'nav.rateRules', can: 'firewall.read', group: 'nav.security' },
  { tab: 'bodyRules', title: 'nav.bodyRules', can: 'firewall.read', group: 'nav.security' },
  { tab: 'members', title: 'nav.members', can: 'accounts.read', icon: Users },
  { tab: 'history', title: 'nav.history', can: 'history.read', icon: History },
]
