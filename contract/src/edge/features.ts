/**
 * What an artefact may require of a node beyond the schema. A site that uses a feature is not published to a node that
 * does not report it, because the node would serve the site without it. Only what protects or changes responses is
 * listed; nothing leaves the list. The request path compiles it to Lua.
 */
import { type GuardName, guardIds } from './guards.ts'

/** Guards that every node has. Each guard added later is a feature with its name. */
type EveryNodeHas = 'protocol' | 'allowRules' | 'denyRules' | 'rateRules' | 'challenge'
type GuardFeature = Exclude<GuardName, EveryNodeHas>
const everyNodeHas: Record<EveryNodeHas, true> = {
  protocol: true,
  allowRules: true,
  denyRules: true,
  rateRules: true,
  challenge: true,
}
export const isGuardFeature = (guard: GuardName): guard is GuardFeature =>
  (everyNodeHas as Partial<Record<GuardName, true>>)[guard] === undefined

/** Features that are not guards. */
const others = [
  'nodeConfiguration',
  'certificates',
  'originPorts',
  'originTls',
  'cacheFields',
  'slices',
  'grpc',
  'zoneHttp3',
  'siteHttp2',
  'tlsLimit',
  'automaticProtection',
  'zoneFirewall',
  'zoneBans',
  'networks',
  'verifiedBots',
  'aclActions',
  'tokenClaims',
  'importedPasswords',
  'originAuthorities',
  'zoneRuleSet',
  'wafResponses',
  'aclBots',
  'wafShadow',
  'wafObserved',
  'wafShadowNode',
  'addressData',
  'aclRequestHeaders',
  'wafControls',
  'wafObservedAnswers',
] as const

export type EdgeFeature = GuardFeature | (typeof others)[number]
export const edgeFeatures: readonly EdgeFeature[] = [
  ...(Object.keys(guardIds) as GuardName[]).filter((guard) => isGuardFeature(guard)),
  ...others,
]
