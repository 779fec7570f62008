/** The firewall's rules as parts of a document, and what nodes get of them. */

import type { EdgeAntiReferer } from '@breakwater/contract/edge/anti-rules.ts'
import { isGuardFeature } from '@breakwater/contract/edge/features.ts'
import { inlineIpsMax } from '@breakwater/contract/edge/ip-set.ts'
import { legacyBlockTypes, methods } from '@breakwater/contract/fields.ts'
import type { AntiCCRule, EdgeAntiCCRule } from '@breakwater/contract/firewall/anti-cc.ts'
import type { AntiReferer } from '@breakwater/contract/firewall/anti-referers.ts'
import type { BodyRule, EdgeBodyRule } from '@breakwater/contract/firewall/body-rules.ts'
import type { EdgeHeaderRule, HeaderRule } from '@breakwater/contract/firewall/header-rules.ts'
import type { EdgeIpRule, IpRule } from '@breakwater/contract/firewall/ip-rules.ts'
import { type FirewallKind, firewallKindNames, firewallKinds } from '@breakwater/contract/firewall/kinds.ts'
import type { EdgeRateRule, RateRule } from '@breakwater/contract/firewall/rate-rules.ts'
import type { EdgeRegionRule, RegionRule } from '@breakwater/contract/firewall/region-rules.ts'
import { domainRuleLists } from '@breakwater/contract/index.ts'
import type { RuleList } from '@breakwater/contract/rule-list.ts'
import { countriesOf } from '@breakwater/contract/system/region-ids.ts'
import type { SavedRule } from '../publish/document.ts'
import type { Parts } from '../publish/part.ts'
import type { Rendering } from '../publish/rendering.ts'
import { domainRuleListPart, ruleListPart } from '../rules/rule-list-part.ts'
import { frequencyOf } from './frequencies.ts'
import { ruleChecks } from './rule-checks.ts'

const common = (rule: SavedRule) => ({
  id: rule.id,
  mode: rule.mode,
  ...(rule.expiresAt ? { expiresAt: Math.floor(Date.parse(rule.expiresAt) / 1000) } : {}),
})

function ipRule(rule: SavedRule, out: Rendering): EdgeIpRule {
  const { urlRegex, methodValues, ips } = rule.body as IpRule
  const isEveryMethod = methodValues.length === methods.length
  return {
    ...common(rule),
    urlRegex,
    methods: isEveryMethod ? [] : methodValues,
    ...(ips.length > inlineIpsMax ? { list: out.keepList(ips) } : { ips }),
  }
}

function rateRule(rule: SavedRule): EdgeRateRule {
  const { urlRegex, rate, burst, blockType } = rule.body as RateRule
  return { ...common(rule), urlRegex, rate, burst, blockType: legacyBlockTypes[blockType] ?? blockType }
}

function bodyRule(rule: SavedRule): EdgeBodyRule {
  const { urlRegex, methodValues, contains, oversize } = rule.body as BodyRule
  return { ...common(rule), urlRegex, methods: methodValues, contains, oversize }
}

function headerRule(rule: SavedRule): EdgeHeaderRule {
  const { urlRegex, header, valueRegex, blockType } = rule.body as HeaderRule
  return { ...common(rule), urlRegex, header: header.toLowerCase(), valueRegex, blockType }
}

function regionRule(rule: SavedRule, out: Rendering): EdgeRegionRule {
  // Older rules name no networks.
  const { urlRegex, isBlack, geoIDs, blockType, asns = [] } = rule.body as RegionRule
  if (asns.length > 0) out.requires.add('networks')
  const countries = [...new Set(geoIDs.flatMap(countriesOf))].sort()
  return { ...common(rule), urlRegex, isBlack, countries, ...(asns.length > 0 && { asns }), blockType }
}

/** Renders nothing for a rule whose frequency is not offered, although neither can be saved without the other. */
function antiCCRule(rule: SavedRule, { document }: Rendering): EdgeAntiCCRule | undefined {
  const { urlRegex, type, blockType, blockSeconds } = rule.body as AntiCCRule
  const frequency = frequencyOf(document, type)
  if (frequency === undefined) return undefined
  const { seconds, times } = frequency
  return {
    ...common(rule),
    urlRegex,
    seconds,
    times,
    blockType: legacyBlockTypes[blockType] ?? blockType,
    blockSeconds,
  }
}

function antiReferer(rule: SavedRule): EdgeAntiReferer {
  const { urlRegex, referers, isBlack, allowEmpty } = rule.body as AntiReferer
  return { ...common(rule), urlRegex, referers, isBlack, allowEmpty }
}

/** Rules of domains are restored and rendered after the domains. */
export const domainFirewallParts: Parts = [
  domainRuleListPart(
    domainRuleLists.antiHeaders,
    (rules, domain, out) => out.setFirewall(domain, { antiHeaders: rules.map(headerRule) }),
    'antiHeaders',
  ),
  domainRuleListPart(
    domainRuleLists.antiReferers,
    (rules, domain, out) => out.setFirewall(domain, { antiReferers: rules.map(antiReferer) }),
    'antiReferers',
  ),
] as Parts

type Render = (rule: SavedRule, out: Rendering) => { id: number } | undefined

/** The kinds whose rules nodes get in a form other than the saved fields. */
const renders: Partial<Record<FirewallKind, Render>> = {
  allowRules: ipRule,
  denyRules: ipRule,
  rateRules: rateRule,
  bodyRules: bodyRule,
  headerRules: headerRule,
  regionRules: regionRule,
  antiCC: antiCCRule,
}

/** The fields of a rule that have the same names on nodes. */
const asSaved =
  (fields: readonly string[]): Render =>
  (rule) => ({
    ...Object.fromEntries(fields.flatMap((field) => (field in rule.body ? [[field, rule.body[field]]] : []))),
    ...common(rule),
  })

function firewallPart(kind: FirewallKind) {
  const { list, edge } = firewallKinds[kind]
  const render = renders[kind] ?? asSaved(Object.keys(edge.shape))
  const fill = (rules: SavedRule[], out: Rendering) =>
    out.set('firewall', rules.length === 0 ? {} : { [kind]: rules.flatMap((rule) => render(rule, out) ?? []) })
  return ruleListPart(list as unknown as RuleList, fill, isGuardFeature(kind) ? kind : undefined, ruleChecks[kind])
}

export const firewallParts: Parts = firewallKindNames.map(firewallPart)
