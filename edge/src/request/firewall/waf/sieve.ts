/**
 * Sieves: which gates (`gates.ts`) a value opens. Its transformations are made once for all rules, and only those that
 * change it; each different text goes once through a database of all expressions, and what that says may match is asked
 * itself. What was found is remembered, for most values come again.
 */
import type { WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import type { Database, Turn, WafMatching, WafTexts } from '../../lib/waf-tools.ts'
import { isSearchedInAnyCase } from './any-case.ts'
import { leadsOn } from './chains.ts'
import type { CompiledCondition } from './compiled-rule.ts'
import { type Memory, newMemory, recalled, remember } from './memory.ts'
import { holds } from './operators.ts'

/** A gate that is asked of a step's text, or of the same in lower case. */
type Asked = { gate: number; condition: CompiledCondition; isLowered: boolean }

/** One transformation of what another step made: the first is none. */
type Step = {
  before: number
  transform: WafTransform | undefined
  /** Asked of the text itself. */
  exact: Asked[]
  /** Asked where the databases say that they may match. */
  searched: Asked[]
  /** Whether anything asks for the flags of the text. */
  isFlagged?: boolean
}

export type Sieve = {
  key: string
  steps: Step[]
  databases: Database[]
  /** All its gates, for a value that cannot be searched. */
  gates: number[]
  /** The steps without those that leave a text with these flags as it is. */
  plans: Record<number, Step[]>
  plansMade: number
  memory: Memory<number[]>
}

const plansMax = 256
/** A longer value is sifted with pauses: the time is looked at between two steps. */
const longText = 2048
const nothing: number[] = []

/** The key is of the source whose values it takes; without databases as yet. */
export const newSieve = (key: string): Sieve => ({
  key,
  steps: [{ before: 0, transform: undefined, exact: [], searched: [] }],
  ...{ databases: [], gates: [], plans: {}, plansMade: 0 },
  memory: newMemory(),
})

/** Has the sieve ask a condition; `isSearched`: one whose expression is in its databases. */
export function addGate(sieve: Sieve, gate: number, condition: CompiledCondition, isSearched: boolean): void {
  const { steps } = sieve
  const { transforms: chain, multiMatch } = condition
  sieve.gates.push(gate)
  const isLowered = isSearched && isSearchedInAnyCase(condition.given)
  const last = isLowered ? chain.length - 1 : chain.length
  let at = 0
  for (let n = 0; n <= last; n++) {
    if (n > 0) at = stepAfter(steps, at, chain[n - 1]!)
    if (n < last && !multiMatch) continue
    const step = steps[at]!
    const list = isSearched ? step.searched : step.exact
    list.push({ gate, condition, isLowered })
  }
}

function stepAfter(steps: Step[], before: number, transform: WafTransform): number {
  for (let at = 1; at < steps.length; at++)
    if (steps[at]!.before === before && steps[at]!.transform === transform) return at
  steps.push({ before, transform, exact: [], searched: [] })
  return steps.length - 1
}

/** Bytes that are sifted between two looks at the clock, a value taken for so many at least. */
const clockBytes = 1024
const shortest = 64
let sinceClock = clockBytes

/** The gates that a value opens; nothing where there was no time to find out. */
export function gatesOf(sieve: Sieve, value: string, turn: Turn, tools: WafMatching): number[] | undefined {
  const known = recalled(sieve.memory, value)
  if (known !== undefined) return known
  // The clock costs as much as a short value.
  sinceClock += value.length + shortest
  if (sinceClock > clockBytes) {
    sinceClock = 0
    if (tools.isOver(turn)) return undefined
  }
  const gates = sifted(sieve, value, turn, tools)
  if (gates !== undefined) remember(sieve.memory, value, gates)
  return gates
}

/** The steps that a text with these flags may need: what others ask is asked of what stands before them. */
function planOf(sieve: Sieve, flags: number, { changedBy }: WafTexts): Step[] {
  const known = sieve.plans[flags]
  if (known !== undefined) return known
  const { steps } = sieve
  const plan: Step[] = [{ before: 0, transform: undefined, exact: [], searched: [] }]
  /** Where each step is in the plan. */
  const places: number[] = [0]
  for (let at = 0; at < steps.length; at++) {
    const { before, transform, exact, searched } = steps[at]!
    let place = places[before]!
    // What another transformation has changed may hold anything.
    if (transform !== undefined && (place > 0 || (flags & changedBy[transform]) !== 0))
      place = stepAfter(plan, place, transform)
    places[at] = place
    const step = plan[place]!
    for (const asked of exact) addOnce(step.exact, asked)
    for (const asked of searched) addOnce(step.searched, asked)
  }
  for (const step of plan) if (step.exact.length > 0) step.isFlagged = true
  for (let at = 1; at < plan.length; at++) plan[plan[at]!.before]!.isFlagged = true
  if (sieve.plansMade >= plansMax) {
    sieve.plans = {}
    sieve.plansMade = 0
  }
  sieve.plans[flags] = plan
  sieve.plansMade++
  return plan
}

function addOnce(list: Asked[], asked: Asked): void {
  for (const one of list) if (one.gate === asked.gate) return
  list.push(asked)
}

/** Of a value, by step: its texts with their flags. And what was searched, with what may match it. */
type Work = { texts: string[]; flags: number[]; searched: string[]; candidatesOf: number[][] }
const newWork = (): Work => ({ texts: [], flags: [], searched: [], candidatesOf: [] })
/** Of those that are sifted without a pause, one after the other. */
const ofShort = newWork()

function sifted(sieve: Sieve, value: string, turn: Turn, tools: WafMatching): number[] | undefined {
  const found: number[] = []
  const isLong = value.length > longText
  const work = isLong ? newWork() : ofShort
  const { texts, flags, searched, candidatesOf } = work
  const pausing = isLong ? turn : undefined
  texts[0] = value
  flags[0] = tools.texts.flagsOf(value)
  const plan = planOf(sieve, flags[0], tools.texts)
  let count = 0
  for (let at = 0; at < plan.length; at++) {
    const step = plan[at]!
    if (pausing !== undefined && tools.isOver(pausing)) return undefined
    if (at > 0) transformInto(work, at, step, tools.texts)
    const text = texts[at]!
    if (pausing !== undefined && tools.isOver(pausing)) return undefined
    if (step.searched.length > 0) {
      let place = placeOf(searched, text, count)
      if (place < 0) {
        const candidates = candidatesFor(sieve.databases, text, tools)
        if (candidates === undefined) return sieve.gates
        place = count
        searched[place] = text
        candidatesOf[place] = candidates
        count++
      }
      const candidates = candidatesOf[place]!
      if (candidates.length > 0 && !askSearched(found, step.searched, candidates, text, tools, pausing))
        return undefined
    }
    if (step.exact.length > 0 && !askExact(found, step.exact, text, flags[at]!, tools, pausing)) return undefined
  }
  return found.length === 0 ? nothing : found
}

function transformInto(
  { texts, flags }: Work,
  at: number,
  { before, transform, isFlagged }: Step,
  using: WafTexts,
): void {
  const text = texts[before]!
  const had = flags[before]!
  texts[at] = text
  flags[at] = had
  if ((had & using.changedBy[transform!]) === 0) return
  const made = using.transform(transform!, text)
  if (made === text) return
  texts[at] = made
  if (isFlagged === true) flags[at] = using.flagsOf(made)
}

function placeOf(searched: readonly string[], text: string, count: number): number {
  for (let at = 0; at < count; at++) if (searched[at] === text) return at
  return -1
}

/** The gates whose expressions may match a text; nothing where the databases could not be asked. */
function candidatesFor(databases: readonly Database[], text: string, tools: WafMatching): number[] | undefined {
  let found = nothing
  for (const database of databases) {
    const count = tools.candidates(database, text)
    if (count < 0) return undefined
    if (count > 0 && found === nothing) found = []
    for (let at = 0; at < count; at++) found.push(tools.candidate(at))
  }
  return found
}

const opens = (condition: CompiledCondition, text: string, tools: WafMatching): boolean =>
  holds(condition, condition.argument, text, tools) &&
  (condition.next === undefined || leadsOn(condition, condition.next, text, tools))

/** False where there was no time for all of them; with pauses where `turn` is of a long value. */
function askSearched(
  found: number[],
  asked: readonly Asked[],
  candidates: readonly number[],
  text: string,
  tools: WafMatching,
  turn: Turn | undefined,
): boolean {
  for (const { gate, condition, isLowered } of asked) {
    if (!candidates.includes(gate) || found.includes(gate)) continue
    if (turn !== undefined && tools.isOver(turn)) return false
    if (opens(condition, isLowered ? tools.texts.transform('lowercase', text) : text, tools)) found.push(gate)
  }
  return true
}

/** The same. */
function askExact(
  found: number[],
  asked: readonly Asked[],
  text: string,
  held: number,
  tools: WafMatching,
  turn: Turn | undefined,
): boolean {
  for (const { gate, condition } of asked) {
    if (turn !== undefined && tools.isOver(turn)) return false
    // No text is a script without a bracket or an equals sign.
    if (condition.operator === 'detectXSS' && !condition.negated && (held & tools.texts.neededByScripts) === 0) continue
    if (!found.includes(gate) && opens(condition, text, tools)) found.push(gate)
  }
  return true
}
