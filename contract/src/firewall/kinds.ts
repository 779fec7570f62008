/**
 * The kinds of firewall rules. The calls, the document, what nodes get, the back-test and the history all derive from
 * an entry here.
 */
import type { z } from 'zod'
import type { Title } from '../phrases.ts'
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
 * `list` has its calls. `edge` is a rule as a node gets it: fields of the same names, unless
 * `server/src/firewall/rule-parts.ts` maps them. `isTried`: whether the log has what its rules look at, so that they
 * can be tried on it. `title` is that of its page in the console (`console/src/firewall/area.ts`), for files that the
 * server writes.
 */
export const firewallKinds = {
  allowRules: {
    list: allowRules,
    edge: EdgeIpRule,
    isTried: true,
    title: { zh_TW: '允許名單', zh_CN: '允许名单', en_US: 'Allow list' },
  },
  denyRules: {
    list: denyRules,
    edge: EdgeIpRule,
    isTried: true,
    title: { zh_TW: '封鎖名單', zh_CN: '封禁名单', en_US: 'Deny list' },
  },
  reputationRules: {
    list: reputationRules,
    edge: EdgeReputationRule,
    isTried: true,
    title: { zh_TW: 'IP 信譽規則', zh_CN: 'IP 信誉规则', en_US: 'Reputation rules' },
  },
  regionRules: {
    list: regionRules,
    edge: EdgeRegionRule,
    isTried: true,
    title: { zh_TW: '地區規則', zh_CN: '地区规则', en_US: 'Region rules' },
  },
  headerRules: {
    list: headerRules,
    edge: EdgeHeaderRule,
    isTried: true,
    title: { zh_TW: '標頭規則', zh_CN: '请求头规则', en_US: 'Header rules' },
  },
  agentRules: {
    list: agentRules,
    edge: EdgeAgentRule,
    isTried: true,
    title: { zh_TW: 'User-Agent 規則', zh_CN: 'User-Agent 规则', en_US: 'User-Agent rules' },
  },
  rateRules: {
    list: rateRules,
    edge: EdgeRateRule,
    isTried: true,
    title: { zh_TW: '速率規則', zh_CN: '速率规则', en_US: 'Rate rules' },
  },
  intervalRules: {
    list: intervalRules,
    edge: EdgeIntervalRule,
    isTried: true,
    title: { zh_TW: '區間速率規則', zh_CN: '区间速率规则', en_US: 'Interval rules' },
  },
  antiCC: {
    list: antiCC,
    edge: EdgeAntiCCRule,
    isTried: true,
    title: { zh_TW: '防 CC', zh_CN: '防 CC', en_US: 'Anti-CC' },
  },
  bodyRules: {
    list: bodyRules,
    edge: EdgeBodyRule,
    isTried: false,
    title: { zh_TW: '內容規則', zh_CN: '请求体规则', en_US: 'Body rules' },
  },
} as const satisfies Record<string, { list: object; edge: z.ZodType; isTried: boolean; title: Title }>
type Kinds = typeof firewallKinds
export type FirewallKind = keyof Kinds

/** The kinds of rules of a domain (`firewall/domain-kinds.ts`); all of them can be tried on the log. */
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
