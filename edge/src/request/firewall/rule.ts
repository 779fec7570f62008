/** What all rules have in common: an id, URLs, methods, an end, and whether they act or are only watched. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { CompileTools, EdgeRequest, Regex, Tools, Verdict } from '../guard.ts'

export type Condition = {
  id: number
  /** Absent for every URL. */
  url: Regex | undefined
  /** Absent for every method. */
  methods: Record<string, boolean> | undefined
  observe: boolean
  /** Epoch seconds; infinite where the rule never ends. */
  expiresAt: number
}

type Rule = { id: number; urlRegex: string; methods?: string[]; mode: string; expiresAt?: number | undefined }

/** Compiles the common part of a rule. */
export function condition(rule: Rule, tools: CompileTools): Condition {
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
    expiresAt: rule.expiresAt ?? Number.POSITIVE_INFINITY,
  }
}

/** Whether a rule speaks about a request. */
export function applies(rule: Condition, request: EdgeRequest, tools: Tools): boolean {
  if (request.time >= rule.expiresAt) return false
  if (rule.methods !== undefined && rule.methods[request.method] !== true) return false
  return rule.url === undefined || tools.matches(rule.url, request.path)
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

/** The cause of a challenge is its own, whichever guard asked for it (gaps T-10). */
export function challenged(guard: Verdict['guard'], rule: number, blockType: number): Verdict {
  return { action: 'challenge', guard, rule, cause: causes.challenge, status: 503, blockType }
}
