/**
 * The WAF rule sets that the operator chose for the zone: one that replaces the set each site names, as soon as this
 * worker has its prefilter (until then the previous one decides, at its usual cost), and a shadow set, which is
 * evaluated in addition for some requests.
 */
import type { NodeConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { shadowNameLength } from '@breakwater/contract/edge/waf-shadow.ts'
import type { CompiledRuleSet } from '../firewall/waf/sieving.ts'
import { noneObserved, type WafRuleSet, type ZoneRuleSet } from '../lib/waf-tools.ts'
import { hasHyperscan } from '../nginx/hyperscan.ts'
import { compileTools } from './objects.ts'

type Taken = ZoneRuleSet & { hash: string; responses: WafRuleSet | undefined }

let wanted: Taken | undefined
let inForce: Taken | undefined

type Given = Pick<NodeConfiguration, 'wafRules' | 'wafResponses' | 'wafObserved'>

/**
 * Sets the zone's rule set, those of its rules that are only observed, and its rules about responses. Without a hash,
 * sites use their own again. Throws if it is missing or does not compile.
 */
export function takeRuleSet({ wafRules: hash, wafResponses: responses, wafObserved }: Given): void {
  if (hash === undefined) {
    wanted = undefined
    inForce = undefined
    return
  }
  const observed: Record<number, true> = {}
  for (const rule of wafObserved ?? []) observed[rule] = true
  if (wanted?.hash === hash) wanted.observed = observed
  else
    wanted = {
      hash,
      ruleSet: compileTools.wafRules(hash),
      observed,
      responses: responses === undefined ? undefined : compileTools.wafRules(responses),
    }
}

type TakenShadow = { hash: string; name: string; ruleSet: WafRuleSet; share: number }

let shadow: TakenShadow | undefined

/** Sets the shadow rule set, or none. Throws if it is missing or does not compile. */
export function takeShadow(given: NodeConfiguration['wafShadow']): void {
  if (given === undefined) {
    shadow = undefined
    return
  }
  const ruleSet = shadow?.hash === given.rules ? shadow.ruleSet : compileTools.wafRules(given.rules)
  const name = given.rules.substring(0, shadowNameLength)
  shadow = { hash: given.rules, name, ruleSet, share: given.percent / 100 }
}

/** The shadow rule set, for the configured share of requests. Returns undefined until it has its prefilter. */
export function drawnShadow(): TakenShadow | undefined {
  if (shadow === undefined || !isReady(shadow) || math.random() >= shadow.share) return undefined
  return shadow
}

const isReady = ({ ruleSet, responses }: { ruleSet: WafRuleSet; responses?: WafRuleSet | undefined }): boolean =>
  !hasHyperscan() || (hasPrefilter(ruleSet) && (responses === undefined || hasPrefilter(responses)))

const hasPrefilter = (ruleSet: WafRuleSet): boolean => (ruleSet as unknown as CompiledRuleSet).prefilter !== undefined

function taken(): Taken | undefined {
  if (wanted !== inForce && wanted !== undefined && isReady(wanted)) inForce = wanted
  return inForce
}

/** Whether this worker uses what it was told last: the prefilters are loaded, or the library is not installed. */
export const isAtWork = (): boolean => taken() === wanted && (shadow === undefined || isReady(shadow))

/** The rule set for all sites. Returns undefined if each site uses its own. */
export const zoneRules = (): ZoneRuleSet | undefined => taken()

/** The response rules for a site with the set `own`. Returns undefined if the zone's set has none. */
export function responseRules(own: WafRuleSet): ZoneRuleSet | undefined {
  const set = taken()
  if (set === undefined) return { ruleSet: own, observed: noneObserved }
  return set.responses === undefined ? undefined : { ruleSet: set.responses, observed: set.observed }
}
