/** The back-test: what a rule would have done with the traffic of the last hours, before it is saved. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Id, MomentText } from '../fields.ts'
import { type DomainRule, domainKinds, isDomainKind } from './domain-kinds.ts'
import {
  type DomainKind,
  domainKindNames,
  type FirewallRule,
  firewallKindNames,
  firewallKinds,
  type TriedKindOfSite,
} from './kinds.ts'

/**
 * Roughly the most rows that one back-test reads. If there are more, it reads the same part of every five minutes,
 * completely: a rate rule judges consecutive requests, and would take individually sampled rows for different visitors.
 */
export const backtestRowsMax = 1_000_000
/** Headers that are logged, lower case: rules about others cannot be tried. */
export const loggedHeaders: readonly string[] = ['user-agent', 'referer']
/** Seconds after which it returns what it has seen so far. */
export const backtestSecondsMax = 30

/** A rule of the site, or of the given domain. */
export type TriedRule =
  | { [K in TriedKindOfSite]: { kind: K; rule: FirewallRule<K>; domainId?: undefined } }[TriedKindOfSite]
  | { [K in DomainKind]: { kind: K; rule: DomainRule<K>; domainId: number } }[DomainKind]

/** The list of a kind, and whether its rules can be tried. */
const listOf = (kind: keyof typeof firewallKinds | DomainKind) =>
  isDomainKind(kind) ? { list: domainKinds[kind], isTried: true } : firewallKinds[kind]

const Body = z
  .strictObject({
    kind: wordOf('TriedRuleKind', 'The list that the rule would be in.', [...firewallKindNames, ...domainKindNames]),
    domainId: Id.optional().describe('Whose the rule would be, where it is in a list of a domain.'),
    rule: z.record(z.string(), z.unknown()).describe('The rule as it would be saved.'),
    id: Id.optional().describe('The rule that it would replace.'),
    hours: z.number().int('number').min(1, 'number').max(24, 'number').default(24),
  })
  .transform(({ kind, domainId, rule, id, hours }, context) => {
    // Problems of the rule are reported on the same fields as when it is saved: one form, one place for each message.
    const { list, isTried } = listOf(kind)
    const shape = { ...list.item.shape, ...(id === undefined && list.created) }
    const parsed = z.strictObject(shape).safeParse(rule, { reportInput: true })
    for (const issue of parsed.error?.issues ?? []) {
      context.issues.push({ ...issue, input: issue.input } as z.core.$ZodRawIssue)
    }
    if (parsed.success && !isTried)
      context.issues.push({ code: 'custom', path: ['kind'], message: 'bodiesNotLogged', input: kind })
    if (isDomainKind(kind) !== (domainId !== undefined)) {
      const message = isDomainKind(kind) ? 'required' : 'unknownField'
      context.issues.push({ code: 'custom', path: ['domainId'], message, input: domainId })
    }
    const { header } = (parsed.data ?? {}) as { header?: unknown }
    if (typeof header === 'string' && !loggedHeaders.includes(header.toLowerCase()))
      context.issues.push({ code: 'custom', path: ['header'], message: 'headerNotLogged', input: header })
    return { ...({ kind, rule: parsed.data, domainId } as unknown as TriedRule), id, hours }
  })

const count = z.number().int()
const Top = z.array(z.object({ name: z.string(), requests: count }))

export const BacktestExample = z.object({
  time: MomentText,
  address: z.string(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  /** What happened to the request at the time. */
  status: count,
  action: z.string(),
  /** What the rule would do with it. */
  would: wordOf('WouldBe', 'What the rule would do with the request.', ['pass', 'block', 'challenge']),
})

/**
 * Counts are of requests: each row by its weight. The rule is tried as if it were enabled and enforced, at its place in
 * the guard order among the site's current rules. An allow rule acts by letting requests pass, the others by refusing
 * them.
 */
export const Backtest = z.object({
  from: MomentText,
  /** Until when rows were read: earlier than now if time ran out. */
  to: MomentText,
  requests: count,
  sampled: z.object({
    isSampled: z.boolean(),
    /** One in this many parts of every five minutes was read, and counts for all of them. */
    oneIn: count,
    rows: count.describe('Rows that were read.'),
    of: count.describe('Rows that there are.'),
  }),
  /** Whether it ended before it had read everything that it meant to read. */
  isPartial: z.boolean(),
  /** Requests that the rule matches and that no earlier rule decided. */
  matched: count,
  would: z.object({ block: count, challenge: count }),
  /** Requests that the rule matches, but that the rules in `earlierBy` decide first. */
  earlier: count,
  earlierBy: z
    .array(
      z.object({
        guard: z.string(),
        rule: count,
        isAllowed: z.boolean().describe('Whether it lets them pass; it refuses them otherwise.'),
        requests: count,
      }),
    )
    .describe('Most requests first, ten at most. The rule tried may be shadowed by one of its own list.'),
  /** How many distinct addresses the rule acts on, and those with the most requests. */
  addresses: count,
  topAddresses: Top,
  topPaths: Top,
  /** Requests that the rule acts on and that were refused at the time, by whichever rule. */
  alreadyRefused: count,
  /** Requests that the rule refuses although their visitor had passed a challenge in the half hour before. */
  passedChallenge: count,
  /** Requests that it could not be evaluated on: a regular expression gave up. */
  failed: count,
  series: z.array(z.object({ time: MomentText, requests: count, matched: count, refused: count })),
  /** Requests that the rule acts on, from different addresses. */
  examples: z.array(BacktestExample),
  /** Milliseconds. */
  took: count,
})
export type Backtest = z.output<typeof Backtest>

export const backtest = {
  run: endpoint('site.firewall.backtest', 'POST', '/:tier/site/:siteId/firewall/backtest', {
    can: 'firewall.read',
    body: Body,
    reply: Backtest,
    beyond: true,
    summary: 'Tries a rule on the traffic of the last hours without saving it.',
  }),
}
