/** The names of guards that have no rule list. A kind of rules has its title (`firewall/guard-name.ts`). */
import type { words as source } from './zh_TW.ts'

export const words = {
  'guard.protocol': 'Protocol checks',
  'guard.challenge': 'Challenge',
  'guard.urlRedirects': 'URL redirects',
  'guard.forceSsl': 'Forced HTTPS',
  'guard.cors': 'CORS',
  'guard.proxyRewrites': 'Proxy rewrites',
  'guard.antiHeaders': 'Anti-header rules',
  'guard.antiReferers': 'Anti-referer rules',
  'guard.luaAcls': 'Lua ACL',
  'guard.waf': 'WAF',
  'guard.tokenAuths': 'Token auth',
  'guard.siteStatus': 'Site status',
  'guard.siteMode': 'Whole-site protection',
  'guard.bans': 'Bans',
  'guard.ipset': 'Deny list of the zone',
  'guard.zoneAntiCC': 'Request limit of the zone',
  'guard.bansOfZone': 'Bans from the zone',
  'guard.apiShield': 'API shield',
} as const satisfies Record<keyof typeof source, string>
