/** WAF rules for answers of origins: which ones apply, to what, and with what result. Pure. */

import type { Part } from '@breakwater/contract/edge/parts.ts'
import type { CompileTools, Tools } from '../../lib/guard.ts'
import { trimmed } from '../../lib/trimmed.ts'
import type { Pair, Turn, WafFacts, WafMatching, WafRuleSet, ZoneRuleSet } from '../../lib/waf-tools.ts'
import { evaluate } from './evaluate.ts'
import { Inspection } from './inspection.ts'
import { compileOverride, isOfRule, isOfTarget, type Override, speaksOf } from './overrides.ts'
import type { CompiledRuleSet } from './sieving.ts'
import { told } from './told.ts'

type EdgeWaf = Extract<Part, { kind: 'waf' }>

export type Responses = {
  isEnforced: boolean
  ruleSet: WafRuleSet
  paranoia: number
  overrides: Override[]
}

/** How much of an answer's body is inspected, and how much of its beginning is held back until then. */
export const inspectedMax = 524_288
export const heldMax = 65_536
/** The Core Rule Set's own threshold: one rule about an error message reaches it. */
const threshold = 4

/** Returns undefined if a module does not inspect answers. */
export function compileResponses(part: EdgeWaf, tools: CompileTools): Responses | undefined {
  const { responses, paranoia } = part
  if (responses === undefined) return undefined
  return {
    isEnforced: responses.mode === 'enforce',
    ruleSet: tools.wafRules(responses.ruleSet),
    paranoia,
    overrides: part.rules.map((override) => compileOverride(override, tools)),
  }
}

/** Whether bodies of the type are inspected. Event streams are not, since they may never end. */
export function isInspectedType(contentType: string | undefined): boolean {
  if (contentType === undefined) return false
  const semicolon = contentType.indexOf(';')
  const type = trimmed(semicolon < 0 ? contentType : contentType.substring(0, semicolon)).toLowerCase()
  if (type === 'text/event-stream') return false
  if (type.startsWith('text/') || type === 'application/json' || type === 'application/xml') return true
  return type.endsWith('+json') || type.endsWith('+xml')
}

export type Answer = { status: number; headers: Pair[]; body: string }

/** What rules found in an answer; `rule` is 0 for none. `isRefused`: it must not pass. */
export type Leak = { rule: number; score: number; text: string; isRefused: boolean }

export type Asked = Pick<WafFacts, 'method' | 'target'> & { path: string; time: number }

/** Applies a rule set to an answer. Returns undefined if it found nothing. */
export function judgeAnswer(
  { overrides, paranoia }: Responses,
  { ruleSet: rules, observed }: ZoneRuleSet,
  { method, target, path, time }: Asked,
  response: Answer,
  tools: WafMatching & Pick<Tools, 'matches' | 'formDecoded'>,
  turn: Turn,
): Leak | undefined {
  const request = { method, path, time, otherPaths: undefined }
  const here = overrides.filter((override) => speaksOf(override, request, tools))
  const isOff = (rule: number, name: string | undefined): boolean => {
    for (const override of here) {
      if (override.action !== 'off' || !isOfRule(override, rule)) continue
      if (override.target === undefined || (name !== undefined && isOfTarget(override, name))) return true
    }
    return false
  }
  if (isOff(0, undefined)) return undefined
  const facts = {
    method,
    target,
    protocol: 'HTTP/1.1',
    headerNames: [],
    headerValues: [],
    hasBody: false,
    body: undefined,
    response,
  }
  const ruleSet = rules as unknown as CompiledRuleSet
  const { matches, isCut } = evaluate(
    new Inspection({ ...facts, decode: tools.decode, formDecoded: tools.formDecoded }),
    { ruleSet, paranoia, isOff, turn },
    tools,
  )
  if (matches.length === 0 && !isCut) return undefined
  let score = 0
  let worst = matches[0]
  let isEnforced = false
  for (const match of matches) {
    const override = here.find((one) => one.action !== 'off' && isOfRule(one, match.rule))
    if (observed[match.rule] === true || override?.action === 'observe') continue
    isEnforced = isEnforced || override?.action === 'enforce'
    score += match.score
    if (worst === undefined || match.score > worst.score) worst = match
  }
  const text = told(matches, isCut ? 'time' : undefined, { observed, applied: [] })
  return { rule: worst?.rule ?? 0, score, text, isRefused: isEnforced || score >= threshold }
}
