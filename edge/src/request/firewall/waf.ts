/**
 * The WAF: applies a rule set to request line, arguments, headers, cookies and body, and refuses requests with too high
 * a score. A request that cannot be inspected completely passes or is refused, as the site chose, and is logged either
 * way.
 */

import { causes } from '@breakwater/contract/edge/causes.ts'
import { shadowWords } from '@breakwater/contract/edge/waf-shadow.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import {
  type Inspected,
  type Inspecting,
  type Match,
  noneObserved,
  type Sent,
  type WafRuleSet,
  type WafTools,
} from '../lib/waf-tools.ts'
import { blocked, challenged } from './rule.ts'
import { inspect } from './waf/inspect.ts'
import { bodyKindOf, type Facts } from './waf/inspection.ts'
import { compileOverride, noteApplied, type Override, overrideOf, speaksOf, wholeOff } from './waf/overrides.ts'
import type { CompiledRuleSet } from './waf/sieving.ts'
import { type Aside, nothingAside, told } from './waf/told.ts'

type Waf = {
  ruleSet: WafRuleSet
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
/** A request of more bytes, without header names, may be inspected in a thread: it may take more than a millisecond. */
const besideFrom = 4096
/** CPU seconds for checking disabled rules, and for how many times as long they then rest: a fiftieth of a worker. */
const asideMax = 0.005
const asideRest = 50
/** Seconds between two logged requests that an exception exempts entirely: otherwise cache hits keep short log rows. */
const quietSeconds = 1

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
  const off = wholeOff(overrides, 0)
  if (off !== undefined) {
    tellUnasked(request, off)
    return undefined
  }
  const facts = around.facts()
  const { body, isLong } = bodyOf(waf, facts.hasBody, tools)
  const { method, target, protocol, headerNames, headerValues, hasBody } = facts
  const { decode } = around
  const { formDecoded } = tools
  const asked = { method, target, protocol, headerNames, headerValues, hasBody, body, decode, formDecoded }
  const ofZone = around.zoneRules()
  const ruleSet = ofZone?.ruleSet ?? waf.ruleSet
  const asideSeconds = request.time >= waf.asideFrom ? asideMax : 0
  const how = { paranoia: waf.paranoia, exceptions: overrides, seconds: timeMax, asideSeconds }
  const found = inspected(request.site, ruleSet, asked, how, around)
  const excess = isLong ? 'body' : found.excess
  const { applied } = found
  const aside = { observed: ofZone?.observed ?? noneObserved, applied }
  const weighed = weigh(overrides, found.matches, aside)
  const shadow = around.shadow(timeMax)
  if (shadow !== undefined) {
    const { matches, excess: ofTime } = inspected(undefined, shadow.ruleSet, asked, { ...how, asideSeconds: 0 }, around)
    const seen = { matches, excess: isLong ? 'body' : ofTime }
    request.wafShadow = `${shadow.name} ${wordOf(waf, weighed, excess)} ${shadowText(waf, overrides, seen)}`
  }
  if (found.asideTaken > 0) waf.asideFrom = request.time + found.asideTaken * asideRest
  for (const rule of found.left) noteApplied(applied, wholeOff(overrides, rule)!)
  return judge(waf, request, { matches: found.matches, aside, excess }, weighed)
}

/** Inspects a request: a long one in a thread, if that is worth while. `site`: whose budget it is; undefined for the shadow's. */
function inspected(
  site: number | undefined,
  ruleSet: WafRuleSet,
  asked: Facts,
  how: Inspecting,
  around: WafTools,
): Inspected {
  const beside = isLongRequest(asked) ? around.inspectBeside(site, ruleSet, asked, how) : undefined
  if (beside !== undefined) return beside
  if (site !== undefined) how.seconds = around.allowance(site, timeMax)
  const found = inspect(asked, ruleSet as unknown as CompiledRuleSet, how, around)
  if (site === undefined) around.spentOnShadow(found.taken)
  else around.spent(site, found.taken)
  return found
}

/** Whether inspecting a request may take longer than others on the worker should wait. */
function isLongRequest({ target, headerValues, body }: Sent): boolean {
  let bytes = target.length + (body === undefined ? 0 : body.length)
  for (const value of headerValues) bytes += value.length
  return bytes > besideFrom
}

/** Records that an exception exempted a request from all rules. */
function tellUnasked(request: EdgeRequest, override: Override): void {
  if (request.time < override.quietUntil) return
  override.quietUntil = request.time + quietSeconds
  request.waf = { score: 0, text: told([], undefined, { observed: noneObserved, applied: [override.id] }) }
}

const wordOf = (waf: Waf, weighed: Weighed, excess: string | undefined): string =>
  isOverIn(waf, weighed) || (excess !== undefined && waf.overBudget === 'block') ? shadowWords.refuse : shadowWords.pass

/** What a shadow rule set would have done. Exceptions that apply in shadow are not logged. */
function shadowText(
  waf: Waf,
  overrides: readonly Override[],
  { matches, excess }: { matches: readonly Match[]; excess: string | undefined },
): string {
  const weighed = weigh(overrides, matches, { observed: noneObserved, applied: [] })
  return `${wordOf(waf, weighed, excess)} ${weighed.score} ${told(matches, excess, nothingAside)}`
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
    ruleSet: tools.wafRules(part.ruleSet),
    module: part.module,
    observe: part.mode === 'observe',
    ...{ blockType: part.blockType, paranoia: part.paranoia, threshold: part.threshold, bodyBytes: part.bodyBytes },
    overBudget: part.overBudget,
    overrides: part.rules.map((override) => compileOverride(override, tools)),
    asideFrom: 0,
  }),
  check,
}
