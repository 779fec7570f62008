/** The names of guards that have no rule list. A kind of rules has its title (`firewall/guard-name.ts`). */
import type { words as source } from './zh_TW.ts'

export const words = {
  'guard.protocol': '协议检查',
  'guard.challenge': '验证',
  'guard.urlRedirects': '网址重定向',
  'guard.forceSsl': '强制 HTTPS',
  'guard.cors': '跨域访问',
  'guard.proxyRewrites': '回源改写',
  'guard.antiHeaders': '请求头拦截',
  'guard.antiReferers': '防盗链',
  'guard.luaAcls': 'Lua ACL 规则',
  'guard.waf': 'WAF 防护',
  'guard.tokenAuths': 'URL 鉴权',
  'guard.siteStatus': '站点状态',
  'guard.siteMode': '整站防护',
  'guard.bans': '暂时封禁',
  'guard.ipset': '区域封禁名单',
  'guard.zoneAntiCC': '区域请求上限',
  'guard.bansOfZone': '区域临时封禁',
  'guard.apiShield': 'API 防护',
} as const satisfies Record<keyof typeof source, string>
