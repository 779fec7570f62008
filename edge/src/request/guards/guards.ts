/** The guards in their order, and what they compile for a site and its domains. */

import type { Part } from '@breakwater/contract/edge/parts.ts'
import { agentRules } from '../firewall/agent-rules.ts'
import { allowRules } from '../firewall/allow-rules.ts'
import { antiCC } from '../firewall/anti-cc.ts'
import { antiHeaders } from '../firewall/anti-headers.ts'
import { antiReferers } from '../firewall/anti-referers.ts'
import { apiShield } from '../firewall/api-shield.ts'
import { type Bans, bans } from '../firewall/bans.ts'
import { bodyRules } from '../firewall/body-rules.ts'
import { challenge } from '../firewall/challenge.ts'
import { denyRules } from '../firewall/deny-rules.ts'
import { headerRules } from '../firewall/header-rules.ts'
import { intervalRules } from '../firewall/interval-rules.ts'
import { luaAcls } from '../firewall/lua-acls.ts'
import { protocol } from '../firewall/protocol.ts'
import { rateRules } from '../firewall/rate-rules.ts'
import { regionRules } from '../firewall/region-rules.ts'
import { reputationRules } from '../firewall/reputation-rules.ts'
import { type SiteMode, siteMode } from '../firewall/site-mode.ts'
import { siteStatus } from '../firewall/site-status.ts'
import { waf } from '../firewall/waf.ts'
import { firstOf } from '../lib/first-of.ts'
import type { CompileTools, EdgeRequest, Guard, PartKind, Tools, Verdict } from '../lib/guard.ts'

/** A guard together with what it compiled for one site or domain; only the guard knows the type of that. */
export type Step = { guard: Guard<unknown>; compiled: unknown }

/** Guards that read no body, and those that may: no body is read before its sender is known. */
export type Steps = { bodiless: readonly Step[]; ofBody: readonly Step[] }

/** Whether a guard runs after authentication. */
export const readsBody = ({ phase }: Guard<unknown>): boolean => phase === 'body'

/**
 * The first verdict decides, and so does an allow rule. Guards that read a body run after the domain's modules
 * (phases/serve.ts). A domain's anti-headers run before the site's header rules (rulings, 20). A guard's number in
 * references is independent of this order (contract/src/edge/guards.ts).
 */
export const guards = [
  protocol,
  siteStatus,
  allowRules,
  bans,
  denyRules,
  reputationRules,
  regionRules,
  antiHeaders,
  headerRules,
  antiReferers,
  agentRules,
  rateRules,
  intervalRules,
  antiCC,
  siteMode,
  challenge,
  luaAcls,
  apiShield,
  waf,
  bodyRules,
] as Guard<unknown>[]

/** The part of a kind that a site or domain has, or undefined. */
export type PartOf = (this: void, kind: PartKind) => Part | undefined

/**
 * The guards that have something to do, given the parts of one owner. Those that take no part are the same for all
 * requests, so they belong to the site.
 */
export function compileGuards(owner: 'site' | 'domain', partOf: PartOf, tools: CompileTools): Steps {
  const bodiless: Step[] = []
  const ofBody: Step[] = []
  for (const guard of guards) {
    const part = guard.takes === 'none' ? undefined : partOf(guard.takes)
    if (guard.takes === 'none' ? owner === 'domain' : part === undefined) continue
    const compiled = guard.compile(part as never, tools)
    if (compiled === undefined) continue
    const steps = readsBody(guard) ? ofBody : bodiless
    steps.push({ guard, compiled })
  }
  return { bodiless: ready(bodiless), ofBody: readyOfBody(ofBody) }
}

/** The steps of a site and one of its domains, guard by guard: the site's rules run before the domain's. */
export function composeSteps(ofSite: Steps, ofDomain: Steps): Steps {
  return {
    bodiless: ready(byGuard(ofSite.bodiless, ofDomain.bodiless)),
    ofBody: readyOfBody(byGuard(ofSite.ofBody, ofDomain.ofBody)),
  }
}

function byGuard(ofSite: readonly Step[], ofDomain: readonly Step[]): Step[] {
  const steps: Step[] = []
  for (const guard of guards) {
    for (const step of ofSite) if (step.guard === guard) steps.push(step)
    for (const step of ofDomain) if (step.guard === guard) steps.push(step)
  }
  return steps
}

/** Seconds for which a site bans clients that keep being refused. Returns undefined if it bans nobody. */
export function banSecondsOf({ bodiless }: Steps): number | undefined {
  for (const { guard, compiled } of bodiless) if (guard.name === 'bans') return (compiled as Bans).seconds
  return undefined
}

/**
 * Requests per second above which the site challenges its visitors, 0 for more than usual. Returns undefined if traffic
 * decides nothing.
 */
export function attackThresholdOf({ bodiless }: Steps): number | undefined {
  for (const { guard, compiled } of bodiless) if (guard.name === 'siteMode') return (compiled as SiteMode).threshold
  return undefined
}

/** Whether an allow rule of the site matches the request: its client is never banned, whatever refused it. */
export function isAllowed({ bodiless }: Steps, request: EdgeRequest, tools: Tools): boolean {
  for (const { guard, compiled } of bodiless)
    if (guard.name === 'allowRules') return guard.check(compiled, request, tools) !== undefined
  return false
}

/** The number of guards that LuaJIT reliably compiles as one trace, with a few rules each. */
const guardsInTrace = 2

function ask(this: void, step: Step, request: EdgeRequest, tools: Tools): Verdict | undefined {
  // Not returned directly: that would count as a loop iteration.
  const verdict = step.guard.check(step.compiled, request, tools)
  return verdict
}

function askOfBody(this: void, step: Step, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (request.skipped !== undefined && request.skipped[step.guard.name] === true) return undefined
  const verdict = step.guard.check(step.compiled, request, tools)
  return verdict
}

const { first: firstStep, ready } = firstOf<Step, EdgeRequest, Tools, Verdict>(guardsInTrace, ask)
const { first: firstStepOfBody, ready: readyOfBody } = firstOf<Step, EdgeRequest, Tools, Verdict>(
  guardsInTrace,
  askOfBody,
)

/**
 * Runs the guards that read no body, in order. Undefined means that the request may pass; `allow` means so too, and
 * says why.
 */
export function decide({ bodiless }: Steps, request: EdgeRequest, tools: Tools): Verdict | undefined {
  const verdict = firstStep(bodiless, request, tools)
  return verdict
}

/**
 * Runs those that may read a body. Only if the others returned nothing: a request that an allow rule matches is not
 * checked further.
 */
export function decideOnBody({ ofBody }: Steps, request: EdgeRequest, tools: Tools): Verdict | undefined {
  const verdict = firstStepOfBody(ofBody, request, tools)
  return verdict
}
