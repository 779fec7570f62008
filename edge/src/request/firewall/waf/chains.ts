/**
 * Chains whose first condition sets `TX` variables that only their second condition reads: a single value then shows
 * whether the second one can hold. If it cannot, the value opens no gate.
 */
import type { WafCondition, WafTarget } from '@breakwater/contract/edge/waf-rules.ts'
import type { WafMatching } from '../../lib/waf-tools.ts'
import type { CompiledCondition, Next, Reads } from './compiled-rule.ts'
import { holds } from './operators.ts'

/** Sets the next condition of each gate for which a single value can decide it. */
export function findNext(
  rules: readonly { conditions: readonly CompiledCondition[]; gate: CompiledCondition | undefined }[],
): void {
  if (!rules.every(({ conditions }) => readsOwnGroups(conditions.map(({ given }) => given)))) return
  for (const rule of rules) {
    const { gate, conditions } = rule
    const condition = gate === undefined ? undefined : conditions[conditions.indexOf(gate) + 1]
    if (gate === undefined || condition === undefined || !isPlain(gate) || !asksWrittenAlone(condition)) continue
    const others = rules.filter((one) => one !== rule)
    const written = others.flatMap((one) => one.conditions.flatMap(({ sets }) => sets.map(({ name }) => startOf(name))))
    if (condition.targets.every((target) => isOwn(target, gate, written)))
      gate.next = { condition, read: readsOf(others.flatMap((one) => [...one.conditions])) }
  }
}

/** A captured group, which rules overwrite constantly. */
const isGroup = (name: string): boolean => name.length === 1 && name >= '0' && name <= '9'

/** The `TX` names in a text's placeholders. */
function placesIn(text: string): string[] {
  const found: string[] = []
  const lower = text.toLowerCase()
  for (let at = lower.indexOf('%{tx.'); at >= 0; at = lower.indexOf('%{tx.', at + 1))
    found.push(lower.substring(at + 5, lower.indexOf('}', at)))
  return found
}

/** The constant beginning of a name that is set. */
function startOf(name: string): string {
  const place = name.indexOf('%{')
  return (place < 0 ? name : name.substring(0, place)).toLowerCase()
}

/** Whether a rule reads groups only after an expression of its own captured them. */
function readsOwnGroups(conditions: readonly WafCondition[]): boolean {
  let hasOwn = false
  for (const { targets, argument, isTemplate, capture, operator, sets } of conditions) {
    const asked = isTemplate === true ? placesIn(argument) : []
    for (const { from, name } of targets) if (from === 'TX' && name !== undefined) asked.push(name)
    if (!hasOwn && asked.some((name) => isGroup(name))) return false
    if (capture === true && operator === 'rx') hasOwn = true
    for (const { name, value } of sets ?? [])
      if (!hasOwn && placesIn(name + value).some((place) => isGroup(place))) return false
  }
  return true
}

/** Whether the groups alone determine what a condition sets. */
function isPlain({ given, operator, negated, capture, multiMatch, sets }: CompiledCondition): boolean {
  if (operator !== 'rx' || negated || !capture || multiMatch || given.isTemplate === true) return false
  return sets.every(({ name, value }) => {
    const text = name + value
    const groups = placesIn(text).filter((place) => isGroup(place)).length
    const written = text.split('%{tx.').length + text.split('%{TX.').length - 2
    return text.split('%{').length - 1 === groups && written === groups && !value.startsWith('+')
  })
}

const asksWrittenAlone = ({ targets, isTemplate }: CompiledCondition): boolean =>
  !isTemplate && targets.every(({ from, count, except }) => from === 'TX' && count !== true && except !== true)

/** Whether only the gate's condition writes what a target names. */
function isOwn({ name, pattern }: WafTarget, { sets }: CompiledCondition, byOthers: readonly string[]): boolean {
  if (name !== undefined && isGroup(name)) return true
  const known = name ?? (pattern?.startsWith('^') === true ? pattern.substring(1).toLowerCase() : '')
  if (known === '' || !isWord(known) || !sets.some((one) => startOf(one.name) === known)) return false
  return byOthers.every((other) => !other.startsWith(known) && !known.startsWith(other))
}

function isWord(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== 95 && !(code >= 97 && code <= 122)) return false
  }
  return true
}

function readsOf(conditions: readonly CompiledCondition[]): Reads {
  const read: Reads = { names: [], patterns: [] }
  for (const { targets, argument, isTemplate, sets } of conditions) {
    for (const { from, name, expression } of targets) {
      if (from !== 'TX') continue
      if (expression !== undefined) read.patterns.push(expression)
      else read.names.push(name ?? '')
    }
    if (isTemplate) read.names.push(...placesIn(argument))
    for (const { name, value } of sets) read.names.push(...placesIn(name + value))
  }
  return read
}

/** Whether a text for which the condition holds opens its gate. */
export function leadsOn(
  given: CompiledCondition,
  { condition, read }: Next,
  text: string,
  tools: WafMatching,
): boolean {
  const noted = notedBy(given, text, tools)
  for (const name in noted) if (!isGroup(name) && isRead(name, read, tools)) return true
  for (const { name, expression } of condition.targets) {
    // A group that did not participate may still hold another rule's value.
    if (name !== undefined && noted[name] === undefined) return true
    for (const own in noted) {
      const isMeant = expression === undefined ? own === name : tools.search(expression, own) !== 0
      if (isMeant && holdsOf(condition, noted[own]!, tools)) return true
    }
  }
  return false
}

/** What a condition sets for a text: its groups, and its variables. */
function notedBy({ pattern, sets }: CompiledCondition, text: string, tools: WafMatching): Record<string, string> {
  const noted: Record<string, string> = {}
  const groups = tools.groups(pattern!, text)
  for (let at = 0; at < groups.length; at++) noted[`${at}`] = groups[at]!
  for (const { name, value } of sets) noted[filled(name, groups).toLowerCase()] = filled(value, groups)
  return noted
}

function filled(text: string, groups: readonly string[]): string {
  let made = text
  for (let at = 0; at < 10; at++)
    for (const place of [`%{tx.${at}}`, `%{TX.${at}}`])
      if (made.indexOf(place) >= 0) made = made.split(place).join(groups[at] ?? '')
  return made
}

function isRead(name: string, { names, patterns }: Reads, tools: WafMatching): boolean {
  if (names.includes(name) || names.includes('')) return true
  for (const pattern of patterns) if (tools.search(pattern, name) !== 0) return true
  return false
}

function holdsOf(condition: CompiledCondition, given: string, tools: WafMatching): boolean {
  let text = given
  if (condition.multiMatch && holds(condition, condition.argument, text, tools)) return true
  for (const transform of condition.transforms) {
    text = tools.texts.transform(transform, text)
    if (condition.multiMatch && holds(condition, condition.argument, text, tools)) return true
  }
  return holds(condition, condition.argument, text, tools)
}
