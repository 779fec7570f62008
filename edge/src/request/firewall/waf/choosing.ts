/** Selects the values of a request that a condition inspects. */
import type { WafMatching } from '../../lib/waf-tools.ts'
import type { CompiledCondition, CompiledTarget } from './compiled-rule.ts'
import type { Value } from './form.ts'
import type { Inspection } from './inspection.ts'

/** The values of one request, by targets. */
export type Lists = Record<string, Value[]>

export function valuesOf(request: Inspection, condition: CompiledCondition, lists: Lists, tools: WafMatching): Value[] {
  const key = condition.targetsKey
  const before = key === undefined ? undefined : lists[key]
  if (before !== undefined) return before
  const values: Value[] = []
  for (const target of condition.targets) {
    if (target.except === true) continue
    const chosen = chosenBy(request, target, tools)
    if (target.count === true) values.push({ name: `&${target.from}:${target.name ?? ''}`, value: `${chosen.length}` })
    else
      for (const value of chosen) if (!isExcepted(request, condition.targets, target, value, tools)) values.push(value)
  }
  if (key !== undefined) lists[key] = values
  return values
}

/** The values that a target names, before exceptions. */
export function chosenBy(request: Inspection, target: CompiledTarget, tools: WafMatching): Value[] {
  const all = request.changing(target.from) ?? request.collection(target.from)
  if (target.name === undefined && target.expression === undefined) return all
  // A loop, because LuaJIT does not compile closures.
  const chosen: Value[] = []
  for (const value of all) if (isNamed(target, value, tools)) chosen.push(value)
  return chosen
}

function isNamed({ from, name, expression }: CompiledTarget, value: Value, tools: WafMatching): boolean {
  const own = value.name.substring(from.length + 1)
  if (expression !== undefined) return tools.search(expression, own) !== 0
  return name === undefined || own.toLowerCase() === name
}

function isExcepted(
  { controls }: Inspection,
  targets: readonly CompiledTarget[],
  { from }: CompiledTarget,
  value: Value,
  tools: WafMatching,
): boolean {
  for (const target of targets) {
    if (target.except !== true || target.from !== from) continue
    if (target.ifMatched !== undefined && controls[target.ifMatched] !== true) continue
    if (isNamed(target, value, tools)) return true
  }
  return false
}
