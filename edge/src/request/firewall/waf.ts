/**
 * The WAF: applies a rule set to request line, arguments, headers, cookies and body, and refuses requests with too high
 * a score. A request that cannot be inspected completely passes or is refused, as the site chose, and is logged either
 * way.
 */

import { causes } from '@breakwater/contract/edge/causes.ts'
import { shadowWords } from '@breakwater/contract/edge/waf-shadow.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { noneObserved, type Shadow, type WafTools } from '../lib/waf-tools.ts'
import { blocked, challenged } from './rule.ts'
import { askLeft, evaluate, type Match } from './waf/evaluate.ts'
import { bodyKindOf, type Facts, Inspection } from './waf/inspection.ts'
import {
  compileOverride,
  never,
  noteApplied,
  type Override,
  offBy,
  overrideOf,
  speaksOf,
  wholeOff,
} from './waf/overrides.ts'
import type { CompiledRuleSet } from './waf/sieving.ts'
import { type Aside, nothingAside, told } from './waf/told.ts'

type Waf = {
  ruleSet: CompiledRuleSet
  module: number
  observe: boolean
  blockType: number
  paranoia: number
  threshold: number
  bodyBytes: number
  overBudget: 'block' | 'pass'
  overrides: Override[]
  /** Epoch seconds from which disabled rules are checked again for what they would have matched. */
  asideFrom: number
}

/** CPU seconds for one request. */
const timeMax = 0.05
/** CPU seconds for checking disabled rules, and for how many times as long they then rest: a fiftieth of a worker. */
const asideMax = 0.005
const asideRest = 50
/** Seconds between two logged requests that an exception exempts entirely: otherwise cache hits keep short log rows. */
const quietSeconds = 1
/** For a request without exceptions. */
const noneApplied: number[] = []

/** The body, if its type is inspected. `isLong`: it is longer than the limit. */
function bodyOf(waf: Waf, hasBody: boolean, tools: Tools): { body: string | undefined; isLong: boolean } {
  if (!hasBody || bodyKindOf(tools.header('content-type')) === undefined) return { body: undefined, isLong: false }
  const body = tools.body(waf.bodyBytes)
  return { body, isLong: body === undefined }
}

const thoseOf = (waf: Waf, request: EdgeRequest, tools: Tools): Override[] =>
  waf.overrides.filter((override) => speaksOf(override, request, tools))

function check(waf: Waf, request: EdgeRequest, tools: Tools): Verdict | undefined {
  const around = tools.waf
  if (around === undefined) return undefined
  const overrides = waf.overrides.length === 0 ? waf.overrides : thoseOf(waf, request, tools)
  const applied = overrides.length === 0 ? noneApplied : []
  const isOff = overrides.length === 0 ? never : offBy(overrides, applied)
  if (isOff(0, undefined)) {
    tellUnasked(request, wholeOff(overrides, 0)!)
    return undefined
  }
  const facts = around.facts()
  const { body, isLong } = bodyOf(waf, facts.hasBody, tools)
  const turn = around.beginTurn(around.allowance(request.site, timeMax))
  const { method, target, protocol, headerNames, headerValues, hasBody } = facts
  const { decode } = around
  const { formDecoded } = tools
  const { paranoia } = waf
  const asked = { method, target, protocol, headerNames, headerValues, hasBody, body, decode, formDecoded }
  const inspection = new Inspection(asked)
  const ofZone = around.zoneRules()
  const ruleSet = (ofZone?.ruleSet as unknown as CompiledRuleSet | undefined) ?? waf.ruleSet
  const found = evaluate(inspection, { ruleSet, paranoia, isOff, turn }, around)
  around.spent(request.site, around.takenIn(turn))
  const excess = isLong ? 'body' : found.isCut ? 'time' : inspection.excess()
  const aside = { observed: ofZone?.observed ?? noneObserved, applied }
  const weighed = weigh(overrides, found.matches, aside)
  const shadow = around.shadow(timeMax)
  if (shadow !== undefined) {
    const { verdict, text } = askShadow(waf, shadow, asked, { overrides, isLong }, around)
    request.wafShadow = `${shadow.name} ${wordOf(waf, weighed, excess)} ${verdict} ${text}`
  }
  if (found.left !== undefined && request.time >= waf.asideFrom)
    noteLeft(waf, request, inspection, { ruleSet, overrides, left: found.left, applied }, around)
  return judge(waf, request, { matches: found.matches, aside, excess }, weighed)
}

/** Records that an exception exempted a request from all rules. */
function tellUnasked(request: EdgeRequest, override: Override): void {
  if (request.time < override.quietUntil) return
  override.quietUntil = request.time + quietSeconds
  request.waf = { score: 0, text: told([], undefined, { observed: noneObserved, applied: [override.id] }) }
}

type Left = { ruleSet: CompiledRuleSet; overrides: readonly Override[]; left: number[]; applied: number[] }

/** Records exceptions whose disabled rules would have matched. Decides nothing, so it costs no site CPU budget. */
function noteLeft(waf: Waf, request: EdgeRequest, inspection: Inspection, of: Left, around: WafTools): void {
  const { ruleSet, overrides, left, applied } = of
  const turn = around.beginTurn(asideMax)
  for (const rule of askLeft(inspection, ruleSet, left, { isOff: never, turn }, around))
    noteApplied(applied, wholeOff(overrides, rule)!)
  waf.asideFrom = request.time + around.takenIn(turn) * asideRest
}

const wordOf = (waf: Waf, weighed: Weighed, excess: string | undefined): string =>
  isOverIn(waf, weighed) || (excess !== undefined && waf.overBudget === 'block') ? shadowWords.refuse : shadowWords.pass

/** Evaluates a shadow rule set with the site's settings, without using the site's CPU budget. */
function askShadow(
  waf: Waf,
  shadow: Shadow,
  asked: Facts,
  { overrides, isLong }: { overrides: readonly Override[]; isLong: boolean },
  around: WafTools,
): { verdict: string; text: string } {
  const turn = around.beginTurn(timeMax)
  const inspection = new Inspection(asked)
  const ruleSet = shadow.ruleSet as unknown as CompiledRuleSet
  // Exceptions that apply in shadow are not logged.
  const isOff = overrides.length === 0 ? never : offBy(overrides, [])
  const { matches, isCut } = evaluate(inspection, { ruleSet, paranoia: waf.paranoia, isOff, turn }, around)
  around.spentOnShadow(around.takenIn(turn))
  const excess = isLong ? 'body' : isCut ? 'time' : inspection.excess()
  const weighed = weigh(overrides, matches, { observed: noneObserved, applied: [] })
  return { verdict: wordOf(waf, weighed, excess), text: `${weighed.score} ${told(matches, excess, nothingAside)}` }
}

/** The weight of all matches: their score, the worst of them, and the exception that enforces one. */
type Weighed = { score: number; worst: Match | undefined; enforced: Override | undefined }

const isOverIn = (waf: Waf, { score, enforced }: Weighed): boolean => score >= waf.threshold || enforced !== undefined

const nothingWeighed: Weighed = { score: 0, worst: undefined, enforced: undefined }

/** Rules that the zone only observes do not count, whatever the site configures: their false positives are unknown. */
function weigh(
  overrides: readonly Override[],
  matches: readonly Match[],
  { observed, applied }: Aside & { applied: number[] },
): Weighed {
  if (matches.length === 0) return nothingWeighed
  let score = 0
  let worst: Match | undefined
  let enforced: Override | undefined
  for (const match of matches) {
    if (observed[match.rule] === true) continue
    const override = overrideOf(overrides, match)
    if (override !== undefined) noteApplied(applied, override)
    if (override?.action === 'enforce' && enforced === undefined) {
      enforced = override
      worst = match
    }
    if (override?.action === 'observe') continue
    score += match.score
    if (worst === undefined || (enforced === undefined && match.score > worst.score)) worst = match
  }
  return { score, worst, enforced }
}

type Seen = { matches: readonly Match[]; aside: Aside; excess: string | undefined }

function judge(
  waf: Waf,
  request: EdgeRequest,
  { matches, aside, excess }: Seen,
  weighed: Weighed,
): Verdict | undefined {
  const { score, worst, enforced } = weighed
  if (matches.length > 0 || excess !== undefined || aside.applied.length > 0)
    request.waf = { score, text: told(matches, excess, aside) }
  const isOver = isOverIn(waf, weighed)
  if (!isOver && excess === undefined) return observedAlone(request, matches)
  const blockType = enforced?.blockType ?? (isOver ? waf.blockType : 0)
  const rule = isOver ? (worst?.rule ?? 0) : 0
  const verdict = blockType > 0 ? challenged('waf', rule, blockType) : blocked('waf', rule, causes.accessRule)
  if (!waf.observe && (isOver || waf.overBudget === 'block')) return verdict
  request.observed ??= verdict
  return undefined
}

/** Records matches that are only observed, or score below the threshold, as for a rule in observe mode. */
function observedAlone(request: EdgeRequest, matches: readonly Match[]): undefined {
  const first = matches[0]
  if (first !== undefined) request.observed ??= blocked('waf', first.rule, causes.accessRule)
  return undefined
}

export const waf: Guard<Waf, 'waf'> = {
  name: 'waf',
  takes: 'waf',
  phase: 'body',
  compile: (part, tools) => ({
    ruleSet: tools.wafRules(part.ruleSet) as unknown as CompiledRuleSet,
    module: part.module,
    observe: part.mode === 'observe',
    ...{ blockType: part.blockType, paranoia: part.paranoia, threshold: part.threshold, bodyBytes: part.bodyBytes },
    overBudget: part.overBudget,
    overrides: part.rules.map((override) => compileOverride(override, tools)),
    asideFrom: 0,
  }),
  check,
}
