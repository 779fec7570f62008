/**
 * Explains a request with the guards that decide live, run one by one in a simulated world. Pure: the same in nginx and
 * in Node.
 */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { Explanation, GuardStep, SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { parseAddress } from '../lib/address.ts'
import { type Backslashes, hasBackslash, resolveBackslashes } from '../lib/backslashes.ts'
import { takeFrom } from '../lib/bucket.ts'
import { canonicalHost, canonicalPath } from '../lib/canonical.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { otherReadings } from '../lib/request-target.ts'
import type { WafMatching, WafTools, ZoneRules } from '../lib/waf-tools.ts'
import { guards, readsBody, type Steps } from './guards.ts'

/** What a simulation needs from outside: how to match, and how to look up a list. */
export type Matching = Pick<Tools, 'matches' | 'mayMatch' | 'listed' | 'asn' | 'country' | 'formDecoded'> & {
  /**
   * The verified bot that a client with this address and User-Agent is known to be; absent if it does not run on a
   * node.
   */
  knownBotOf?: (this: void, addressBytes: string, userAgent: string) => string | undefined
  waf?: WafMatching & ZoneRules
}

/** A simulated request as guards see it, and tools without side effects. */
export const simulation = (given: SimulatedRequest, matching: Matching): { request: EdgeRequest; tools: Tools } => ({
  request: simulated(given, 'refuse'),
  tools: simulatedTools(given, matching, {}),
})

/** What a simulation notes while a guard runs: the verified bot that was not challenged. */
type Noted = { bot?: string | undefined }

/**
 * A path that leads above the root, or is refused for its backslashes, becomes a NUL, which the first guard refuses.
 */
function simulated(given: SimulatedRequest, backslashes: Backslashes): EdgeRequest {
  const canonical = canonicalPath(given.path)
  const isPlain = canonical === undefined || !hasBackslash(canonical)
  const path = (isPlain ? canonical : resolveBackslashes(canonical, backslashes)) ?? '\0'
  return {
    site: given.site,
    method: given.method,
    host: canonicalHost(given.host),
    path,
    otherPaths: otherReadings(given.path, path),
    query: given.query,
    addressBytes: parseAddress(given.address) ?? '\0\0\0\0',
    time: given.time,
    observed: undefined,
    acted: undefined,
    score: 0,
    waf: undefined,
    detail: undefined,
    wafShadow: undefined,
    skipped: undefined,
    headers: undefined,
  }
}

/** Tools without side effects: separate buckets, no cookie, the given body. */
function simulatedTools(given: SimulatedRequest, matching: Matching, noted: Noted): Tools {
  const headers: Record<string, string> = {}
  let count = 0
  for (const name in given.headers) {
    headers[name.toLowerCase()] = given.headers[name]!
    count++
  }
  const levels: Record<string, number> = {}
  const counters = {
    get: (key: string): number | undefined => levels[key],
    set: (key: string, value: number, _ttl: number): void => {
      levels[key] = value
    },
  }
  const userAgent = headers['user-agent']
  const bot =
    given.bot ??
    (userAgent === undefined ? undefined : matching.knownBotOf?.(parseAddress(given.address) ?? '', userAgent))
  return {
    matches: matching.matches,
    mayMatch: matching.mayMatch,
    listed: matching.listed,
    formDecoded: matching.formDecoded,
    header: (name) => headers[name],
    // A simulated request has one value per header.
    repeated: () => undefined,
    headerCount: () => count,
    take: (_site, key, _bytes, rate, burst) => takeFrom(counters, given.time, key, rate, burst),
    // A single request is the first of its window.
    count: () => 1,
    // Bans and attacks are temporary: for a logged request, its reference records whether there was one.
    isBanned: () => given.isBanned === true,
    isUnderAttack: () => given.isUnderAttack === true,
    solved: () => {},
    asn: (bytes) => given.asn ?? matching.asn(bytes),
    country: (bytes) => given.country ?? matching.country(bytes),
    reputation: () => given.score ?? 0,
    bot: () => bot,
    scheme: () => given.scheme ?? 'https',
    hasShownKey: () => false,
    hasPassed: () => {
      noted.bot = bot
      return bot !== undefined || given.hasPassed === true
    },
    answer: () => ({
      action: 'block',
      guard: 'challenge',
      rule: 0,
      cause: causes.challenge,
      status: 403,
      blockType: 0,
    }),
    body(max) {
      const body = given.body ?? ''
      return body.length > max ? undefined : body
    },
    waf: matching.waf === undefined || given.isLogged === true ? undefined : simulatedWaf(given, matching.waf),
  }
}

/** What the WAF sees of a simulated request, which is charged to no site. */
function simulatedWaf(given: SimulatedRequest, matching: WafMatching & ZoneRules): WafTools {
  const headerNames: string[] = []
  const headerValues: string[] = []
  for (const name in given.headers) {
    headerNames.push(name)
    headerValues.push(given.headers[name]!)
  }
  if (!headerNames.some((name) => name.toLowerCase() === 'host')) {
    headerNames.push('Host')
    headerValues.push(given.host)
  }
  return {
    ...matching,
    facts: () => ({
      method: given.method,
      target: given.query === '' ? given.path : `${given.path}?${given.query}`,
      protocol: 'HTTP/1.1',
      headerNames,
      headerValues,
      hasBody: given.body !== undefined && given.body !== '',
    }),
    hasBody: () => given.body !== undefined && given.body !== '',
    allowance: (_site, max) => max,
    spent: () => {},
    inspectBeside: () => undefined,
    shadow: () => undefined,
    spentOnShadow: () => {},
  }
}

function stepOf({ name, phase }: Guard<unknown>, outcome: GuardStep['outcome'], verdict?: Verdict): GuardStep {
  return { guard: name, phase, outcome, rule: verdict?.rule ?? 0, cause: verdict?.cause ?? 0 }
}

function outcomeOf(verdict: Verdict): GuardStep['outcome'] {
  if (verdict.action === 'allow') return 'allow'
  if (verdict.action === 'redirect') return 'redirect'
  return verdict.action === 'challenge' ? 'challenge' : 'block'
}

/**
 * Runs every guard in order, and `between` before those that read a body. Everything after the deciding one is skipped.
 */
export function explain(
  steps: Steps,
  given: SimulatedRequest,
  matching: Matching,
  backslashes: Backslashes = 'refuse',
  between: (this: void, explanation: Explanation) => Explanation = (explanation) => explanation,
): Explanation {
  const request = simulated(given, backslashes)
  const noted: Noted = {}
  const tools = simulatedTools(given, matching, noted)
  let told: GuardStep[] = []
  let decided: Verdict | undefined
  const ask = (guard: Guard<unknown>, isSkipped: boolean): void => {
    if (isSkipped || request.skipped?.[guard.name] === true) {
      told.push(stepOf(guard, 'skipped'))
      return
    }
    request.observed = undefined
    request.acted = undefined
    noted.bot = undefined
    const own = readsBody(guard) ? steps.ofBody : steps.bodiless
    for (const step of own) {
      if (step.guard === guard) decided ??= step.guard.check(step.compiled, request, tools)
    }
    const step =
      decided !== undefined
        ? stepOf(guard, outcomeOf(decided), decided)
        : request.observed !== undefined
          ? stepOf(guard, 'observe', request.observed)
          : stepOf(guard, 'passed', request.acted)
    if (request.waf !== undefined) step.waf = request.waf
    if (noted.bot !== undefined) step.bot = noted.bot
    if (request.detail !== undefined) step.detail = request.detail
    told.push(step)
    request.waf = undefined
    request.detail = undefined
  }
  /** Adds the zone's own guards, which belong to no site, according to the log row. */
  const tellZone = (isBefore: boolean): void => {
    const { zone } = given
    if (zone === undefined || (zone.guard !== 'zoneAntiCC') !== isBefore) return
    const { guard, cause } = zone
    decided = { action: zone.outcome, guard, rule: 0, cause: cause as Verdict['cause'], status: 0, blockType: 0 }
    told.push({ guard, phase: 'line', outcome: zone.outcome, rule: 0, cause })
  }
  tellZone(true)
  for (const guard of guards) if (!readsBody(guard)) ask(guard, decided !== undefined)
  tellZone(false)
  const location = decided?.location
  const asked = between({ steps: told, verdict: verdictOf(decided), ...(location === undefined ? {} : { location }) })
  told = [...asked.steps]
  for (const guard of guards) if (readsBody(guard)) ask(guard, decided !== undefined || asked.verdict !== 'pass')
  return { ...asked, steps: told, verdict: asked.verdict === 'pass' ? verdictOf(decided) : asked.verdict }
}

function verdictOf(decided: Verdict | undefined): Explanation['verdict'] {
  if (decided === undefined || decided.action === 'allow' || decided.action === 'answer') return 'pass'
  return decided.action
}
