/**
 * Sieves: which gates (`gates.ts`) a value may open. Its transformations are made once for all rules, each different text
 * goes once through a database of all their expressions, and what was found is remembered, for most values come again.
 */
import type { WafCollection, WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import type { Database, Prefilter, WafMatching } from '../../lib/waf-tools.ts'
import { databaseName, isExpression, type Place, placeOf, places, placesOf } from './gates.ts'
import type { Inspection } from './inspection.ts'
import { holds } from './operators.ts'
import type { CompiledCondition, CompiledWafRule } from './rule-set.ts'
import { transforms } from './transforms.ts'

/** A condition that is asked itself. `isRepeat`: the step before has asked it, too. */
type Exact = { gate: number; condition: CompiledCondition; isRepeat: boolean }

/** One transformation of what another step made. */
type Step = {
  before: number
  transform: WafTransform | undefined
  isSearched: boolean
  exact: Exact[]
}

/** Remembered gates by value, in two generations: the older is let go whole. */
type Memory = { young: Record<string, number[]>; old: Record<string, number[]>; count: number; bytes: number }

export type Sieve = {
  from: WafCollection[]
  steps: Step[]
  databases: Database[]
  /** All gates of the place, for a value that cannot be searched. */
  gates: number[]
  memory: Memory
}

/** `prefilter`: once the node has it; all rules are asked until then. `sieves` are made of it by paranoia level. */
export type CompiledRuleSet = {
  rules: CompiledWafRule[]
  prefilter: Prefilter | undefined
  sieves: Record<number, Sieve[] | undefined>
}

/** Those of a paranoia level, where there is a prefilter. */
export function sievesOf(ruleSet: CompiledRuleSet, paranoia: number): Sieve[] | undefined {
  const made = ruleSet.sieves[paranoia]
  if (made !== undefined || ruleSet.prefilter === undefined) return made
  ruleSet.sieves[paranoia] = compileSieves(ruleSet.rules, ruleSet.prefilter, paranoia)
  return ruleSet.sieves[paranoia]
}

/** The texts that open a gate, by gate. */
export type Open = Record<number, Record<string, boolean>>

/** What a generation of a sieve's memory holds at most. */
const rememberedMax = 4096
const rememberedBytes = 1024 * 1024
/** From this length on, the time is looked at between two steps. */
const longText = 2048
const nothing: number[] = []

/** Sieves of all places for a paranoia level. */
function compileSieves(rules: readonly CompiledWafRule[], prefilter: Prefilter, paranoia: number): Sieve[] {
  const sieves: Sieve[] = []
  for (const place of places) sieves.push(compileSieve(rules, place, paranoia, prefilter))
  return sieves
}

function compileSieve(rules: readonly CompiledWafRule[], place: Place, paranoia: number, prefilter: Prefilter): Sieve {
  const from: WafCollection[] = []
  const gates: number[] = []
  const steps: Step[] = [{ before: 0, transform: undefined, isSearched: false, exact: [] }]
  for (const { gate, level, conditions } of rules) {
    const condition = conditions[0]!
    if (gate === 0 || level > paranoia || !placesOf(condition.given).includes(place)) continue
    gates.push(gate)
    for (const target of condition.targets)
      if (target.except !== true && placeOf[target.from] === place && !from.includes(target.from))
        from.push(target.from)
    addSteps(steps, condition, gate, !isExpression(condition.given) || prefilter.refused[gate] === true)
  }
  const databases: Database[] = []
  for (let level = 1; level <= paranoia; level++) {
    const database = prefilter.databases[databaseName(place, level)]
    if (database !== undefined) databases.push(database)
  }
  return { from, steps, databases, gates, memory: { young: {}, old: {}, count: 0, bytes: 0 } }
}

function addSteps(steps: Step[], condition: CompiledCondition, gate: number, isExact: boolean): void {
  const { transforms: chain, multiMatch } = condition
  let at = 0
  for (let n = 0; n <= chain.length; n++) {
    if (n > 0) at = stepAfter(steps, at, chain[n - 1]!)
    if (n < chain.length && !multiMatch) continue
    const step = steps[at]!
    if (isExact) step.exact.push({ gate, condition, isRepeat: multiMatch && n > 0 })
    else step.isSearched = true
  }
}

function stepAfter(steps: Step[], before: number, transform: WafTransform): number {
  for (let at = 1; at < steps.length; at++)
    if (steps[at]!.before === before && steps[at]!.transform === transform) return at
  steps.push({ before, transform, isSearched: false, exact: [] })
  return steps.length - 1
}

/** The gates that values of the request open; nothing where there was no time to ask all of them. */
export function openGates(
  request: Inspection,
  sieves: readonly Sieve[],
  until: number,
  tools: WafMatching,
): Open | undefined {
  const open: Open = {}
  for (const sieve of sieves)
    for (const from of sieve.from)
      for (const { value } of request.collection(from)) {
        const { young } = sieve.memory
        const gates = young[value] ?? recalled(sieve, value, until, tools)
        if (gates === undefined) return undefined
        for (const gate of gates) {
          open[gate] ??= {}
          open[gate][value] = true
        }
      }
  return open
}

/** What is not in the younger generation: from the older, or found out. */
function recalled(sieve: Sieve, value: string, until: number, tools: WafMatching): number[] | undefined {
  const { memory } = sieve
  const gates = memory.old[value] ?? (tools.cpuTime() > until ? undefined : sifted(sieve, value, until, tools))
  if (gates === undefined) return undefined
  if (memory.count >= rememberedMax || memory.bytes + value.length > rememberedBytes) {
    memory.old = memory.young
    memory.young = {}
    memory.count = 0
    memory.bytes = 0
  }
  memory.young[value] = gates
  memory.count++
  memory.bytes += value.length
  return gates
}

/** Of the value at hand, by step; and those that were searched. */
const texts: string[] = []
const searched: string[] = []

function sifted(sieve: Sieve, value: string, until: number, tools: WafMatching): number[] | undefined {
  const { steps, databases } = sieve
  const found: number[] = []
  let count = 0
  for (let at = 0; at < steps.length; at++) {
    const step = steps[at]!
    const before = at === 0 ? value : texts[step.before]!
    const text = step.transform === undefined ? before : transforms[step.transform](before)
    texts[at] = text
    if (text.length > longText && tools.cpuTime() > until) return undefined
    if (step.isSearched && !isSearched(text, count)) {
      searched[count] = text
      count++
      for (const database of databases) if (!addCandidates(found, database, text, tools)) return sieve.gates
    }
    for (const { gate, condition, isRepeat } of step.exact)
      if (!(isRepeat && text === before) && holds(condition, condition.argument, text, tools)) add(found, gate)
  }
  return found.length === 0 ? nothing : found
}

function isSearched(text: string, count: number): boolean {
  for (let at = 0; at < count; at++) if (searched[at] === text) return true
  return false
}

/** False where the database could not be asked. */
function addCandidates(found: number[], database: Database, text: string, tools: WafMatching): boolean {
  const count = tools.candidates(database, text)
  for (let at = 0; at < count; at++) add(found, tools.candidate(at))
  return count >= 0
}

function add(found: number[], gate: number): void {
  if (!found.includes(gate)) found.push(gate)
}
