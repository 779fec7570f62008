/**
 * Conditions that depend on one text that is readily available: the method, the body, the number of headers of a name.
 * They are checked before a rule with an open gate is run, because running it builds lists of values.
 */
import type { WafMatching } from '../../lib/waf-tools.ts'
import type { CompiledCondition } from './compiled-rule.ts'
import type { Inspection } from './inspection.ts'
import { holds } from './operators.ts'

/** The quick conditions of a rule, which must all hold: up to the first condition with side effects. */
export function quickOf(
  conditions: readonly CompiledCondition[],
  gate: CompiledCondition | undefined,
): CompiledCondition[] {
  const quick: CompiledCondition[] = []
  if (conditions.length === 1) return quick
  for (const condition of conditions) {
    if (condition !== gate && isQuick(condition)) quick.push(condition)
    if (condition.capture || condition.sets.length > 0) break
  }
  return quick
}

function isQuick({ targets, transforms, isTemplate, multiMatch }: CompiledCondition): boolean {
  const target = targets[0]
  if (targets.length !== 1 || target === undefined || transforms.length > 0 || isTemplate || multiMatch) return false
  const { from, name, pattern, count } = target
  if (count === true) return from === 'REQUEST_HEADERS' && name !== undefined
  return (from === 'REQUEST_METHOD' || from === 'REQUEST_BODY') && name === undefined && pattern === undefined
}

/** Whether all of them hold. */
export function allHold(quick: readonly CompiledCondition[], request: Inspection, tools: WafMatching): boolean {
  for (const condition of quick) {
    const text = textOf(condition, request)
    if (text === undefined || !holds(condition, condition.argument, text, tools)) return false
  }
  return true
}

/** Returns undefined if there is no text; no condition then holds. */
function textOf({ targets }: CompiledCondition, request: Inspection): string | undefined {
  const { from, name, count } = targets[0]!
  if (count === true) return `${request.headerCount(name!)}`
  return from === 'REQUEST_METHOD' ? request.facts.method : request.wholeBody()
}
