/** Common to all rules: an id, URLs, methods, an expiry, and whether they are enforced or only observed. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { CompileTools, EdgeRequest, Regex, Tools, Verdict } from '../lib/guard.ts'

export type Condition = {
  id: number
  /** Absent for every URL. */
  url: Regex | undefined
  /** Absent for every method. */
  methods: Record<string, boolean> | undefined
  observe: boolean
  /** Whether the rule lets requests pass: it must then match every reading of a path; other rules match with any. */
  grants: boolean
  /** Epoch seconds; infinity if the rule never expires. */
  expiresAt: number
}

type Rule = { id: number; urlRegex: string; methods?: string[]; mode: string; expiresAt?: number | undefined }

/** Compiles the common part of a rule. `grants` is for rules that let requests pass. */
export function condition(rule: Rule, tools: CompileTools, grants = false): Condition {
  let methods: Record<string, boolean> | undefined
  if (rule.methods !== undefined && rule.methods.length > 0) {
    methods = {}
    for (const method of rule.methods) methods[method] = true
  }
  return {
    id: rule.id,
    url: rule.urlRegex === '' ? undefined : tools.regex(rule.urlRegex),
    methods,
    observe: rule.mode === 'observe',
    grants,
    expiresAt: rule.expiresAt ?? Number.POSITIVE_INFINITY,
  }
}

/** Whether a rule applies to a request. */
export function applies(rule: Condition, request: EdgeRequest, tools: Tools): boolean {
  if (request.time >= rule.expiresAt) return false
  if (rule.methods !== undefined && rule.methods[request.method] !== true) return false
  if (rule.url === undefined) return true
  const matches = tools.matches(rule.url, request.path)
  if (request.otherPaths === undefined || matches !== rule.grants) return matches
  return appliesOtherwise(rule.url, rule.grants, request.otherPaths, tools)
}

/** For when the canonical path did not decide: a rule that grants must match all readings, one that refuses any. */
function appliesOtherwise(url: Regex, grants: boolean, paths: readonly string[], tools: Tools): boolean {
  for (const path of paths) if (tools.matches(url, path) !== grants) return !grants
  return grants
}

/** Returns the verdict, unless its rule is in observe mode: then it is recorded, and the request continues. */
export function enforced(rule: Condition, request: EdgeRequest, verdict: Verdict): Verdict | undefined {
  if (!rule.observe) return verdict
  if (request.observed === undefined) request.observed = verdict
  return undefined
}

/** A plain refusal. */
export function blocked(guard: Verdict['guard'], rule: number, cause: Verdict['cause']): Verdict {
  return { action: 'block', guard, rule, cause, status: 403, blockType: 0 }
}

/** A challenge has a cause of its own, whichever guard requested it. */
export function challenged(guard: Verdict['guard'], rule: number, blockType: number): Verdict {
  return { action: 'challenge', guard, rule, cause: causes.challenge, status: 503, blockType }
}

/** Refuses, or challenges if the rule has a protection mode. Returns undefined if the visitor has passed it. */
export function refusedOrChallenged(
  guard: Verdict['guard'],
  rule: Condition,
  blockType: number,
  cause: Verdict['cause'],
  request: EdgeRequest,
  tools: Tools,
): Verdict | undefined {
  if (blockType === 0) return enforced(rule, request, blocked(guard, rule.id, cause))
  if (tools.hasPassed(request, blockType)) return undefined
  return enforced(rule, request, challenged(guard, rule.id, blockType))
}
