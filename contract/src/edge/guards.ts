/**
 * The guards and kinds of modules, and their numbers in references. A number belongs to one for good: it is never changed
 * or given to another. The order in which guards are asked stands in edge/src/request/guards/guards.ts. Imports nothing:
 * the request path compiles it to Lua.
 */
export const guardIds = {
  protocol: 1,
  allowRules: 2,
  denyRules: 3,
  rateRules: 4,
  bodyRules: 5,
  challenge: 6,
  urlRedirects: 7,
  cors: 8,
  antiHeaders: 9,
  antiReferers: 10,
  tokenAuths: 11,
  proxyRewrites: 12,
  siteStatus: 13,
  forceSsl: 20,
  agentRules: 21,
  headerRules: 22,
  intervalRules: 23,
  regionRules: 24,
  bans: 25,
  siteMode: 26,
  antiCC: 27,
  waf: 28,
  authRules: 30,
  ipset: 31,
  zoneAntiCC: 32,
  reputationRules: 33,
  luaAcls: 41,
  apiShield: 44,
  bansOfZone: 45,
} as const
export type GuardName = keyof typeof guardIds

/** The guard of a number; '' for one that is not known. */
export function guardOfId(id: number): GuardName | '' {
  for (const name in guardIds) if (guardIds[name as GuardName] === id) return name as GuardName
  return ''
}
