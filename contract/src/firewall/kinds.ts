/**
 * The kinds of rules that the firewall has. The calls, the document, what nodes get, the back-test and the history follow
 * from an entry here.
 */
import type { z } from 'zod'
import { agentRules, EdgeAgentRule } from './agent-rules.ts'
import { antiCC, EdgeAntiCCRule } from './anti-cc.ts'
import { bodyRules, EdgeBodyRule } from './body-rules.ts'
import { EdgeHeaderRule, headerRules } from './header-rules.ts'
import { EdgeIntervalRule, intervalRules } from './interval-rules.ts'
import { allowRules, denyRules, EdgeIpRule } from './ip-rules.ts'
import { EdgeRateRule, rateRules } from './rate-rules.ts'
import { EdgeRegionRule, regionRules } from './region-rules.ts'
import { EdgeReputationRule, reputationRules } from './reputation-rules.ts'

/**
 * `list` are its calls. `edge` is a rule as a node gets it: fields of the same names, unless `server/src/firewall/rule-parts.ts`
 * says otherwise. `isTried`: whether the log holds what its rules look at, so that they can be tried on it.
 */
export const firewallKinds = {
  allowRules: { list: allowRules, edge: EdgeIpRule, isTried: true },
  denyRules: { list: denyRules, edge: EdgeIpRule, isTried: true },
  reputationRules: { list: reputationRules, edge: EdgeReputationRule, isTried: true },
  regionRules: { list: regionRules, edge: EdgeRegionRule, isTried: true },
  headerRules: { list: headerRules, edge: EdgeHeaderRule, isTried: true },
  agentRules: { list: agentRules, edge: EdgeAgentRule, isTried: true },
  rateRules: { list: rateRules, edge: EdgeRateRule, isTried: true },
  intervalRules: { list: intervalRules, edge: EdgeIntervalRule, isTried: true },
  antiCC: { list: antiCC, edge: EdgeAntiCCRule, isTried: true },
  bodyRules: { list: bodyRules, edge: EdgeBodyRule, isTried: false },
} as const
type Kinds = typeof firewallKinds
export type FirewallKind = keyof Kinds

/** The kinds that a domain has of its own (`firewall/domain-kinds.ts`); all of them can be tried on the log. */
export const domainKindNames = ['antiHeaders', 'antiReferers'] as const
export type DomainKind = (typeof domainKindNames)[number]

export const firewallKindNames = Object.keys(firewallKinds) as FirewallKind[]

/** A rule of a kind, as it is saved. */
export type FirewallRule<K extends FirewallKind> = z.output<Kinds[K]['list']['item']>
export type TriedKindOfSite = { [K in FirewallKind]: Kinds[K]['isTried'] extends true ? K : never }[FirewallKind]
export type TriedKind = TriedKindOfSite | DomainKind
export const triedKindNames: TriedKind[] = [
  ...(firewallKindNames.filter((kind) => firewallKinds[kind].isTried) as TriedKindOfSite[]),
  ...domainKindNames,
]

const ofEach = <T>(of: (kind: Kinds[FirewallKind]) => unknown) =>
  Object.fromEntries(firewallKindNames.map((kind) => [kind, of(firewallKinds[kind])])) as T

export const firewallLists = ofEach<{ [K in FirewallKind]: Kinds[K]['list'] }>(({ list }) => list)
export const firewallCalls = ofEach<{ [K in FirewallKind]: Kinds[K]['list']['calls'] }>(({ list }) => list.calls)
