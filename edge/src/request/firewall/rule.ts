/** What all rules have in common: an id, URLs, methods, an end, and whether they act or are only watched. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { CompileTools, EdgeRequest, Regex, Tools, Verdict } from '../lib/guard.ts'

export type Condition = {
  id: number
  /** Absent for every URL. */
  url: Regex | undefined
  /** Absent for every method. */
  methods: Record<string, boolean> | undefined
  observe: boolean
  /** Whether the rule lets requests pass: it must then hold for every reading of a path, others for any. */
  grants: boolean
  /** Epoch seconds; infinite where the rule never ends. */
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

/** Whether a rule speaks about a request. */
export function applies(rule: Condition, request: EdgeRequest, tools: Tools): boolean {
  if (request.time >= rule.expiresAt) return false
  if (rule.methods !== undefined && rule.methods[request.method] !== true) return false
  if (rule.url === undefined) return true
  const matches = tools.matches(rule.url, request.path)
  if (request.otherPaths === undefined || matches !== rule.grants) return matches
  return appliesOtherwise(rule.url, rule.grants, request.otherPaths, tools)
}

/** The path's canonical form has not decided: a rule that grants needs all readings, a rule that refuses any. */
function appliesOtherwise(url: Regex, grants: boolean, paths: readonly string[], tools: Tools): boolean {
  for (const path of paths) if (tools.matches(url, path) !== grants) return !grants
  return grants
}

/** Hands a verdict on, unless its rule is only watched: then it is noted, and the request goes on. */
export function enforced(rule: Condition, request: EdgeRequest, verdict: Verdict): Verdict | undefined {
  if (!rule.observe) return verdict
  if (request.observed === undefined) request.observed = verdict
  return undefined
}

/** A plain refusal. */
export function blocked(guard: Verdict['guard'], rule: number, cause: Verdict['cause']): Verdict {
  return { action: 'block', guard, rule, cause, status: 403, blockType: 0 }
}

/** The cause of a challenge is its own, whichever guard asked for it. */
export function challenged(guard: Verdict['guard'], rule: number, blockType: number): Verdict {
  return { action: 'challenge', guard, rule, cause: causes.challenge, status: 503, blockType }
}

/** Refuses, or asks for a challenge where the rule has a protection mode; nothing where the visitor has passed it. */
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
