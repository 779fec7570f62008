/**
 * The guards and kinds of modules, with their numbers in references. A number is assigned for good: never changed,
 * never given to another. The order in which guards are evaluated is in edge/src/request/guards/guards.ts. Imports
 * nothing: the request path compiles it to Lua.
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

/** The guard with a number; '' if there is none. */
export function guardOfId(id: number): GuardName | '' {
  for (const name in guardIds) if (guardIds[name as GuardName] === id) return name as GuardName
  return ''
}
