/**
 * Sieves: which gates (`gates.ts`) a value opens. Its transformations run once for all rules, and only those that
 * change it; each distinct text is searched once in a database of all expressions, and whatever may match according to
 * it is checked directly. Results are cached, because most values recur.
 */
import type { WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import type { Database, Turn, WafMatching, WafTexts } from '../../lib/waf-tools.ts'
import { isSearchedInAnyCase } from './any-case.ts'
import { leadsOn } from './chains.ts'
import type { CompiledCondition } from './compiled-rule.ts'
import { type Memory, newMemory, recalled, remember } from './memory.ts'
import { holds } from './operators.ts'

/** A gate that is checked with a step's text, or with that text in lower case. */
type Asked = { gate: number; condition: CompiledCondition; isLowered: boolean }

/** One transformation of another step's result; the first step has none. */
type Step = {
  before: number
  transform: WafTransform | undefined
  /** Checked with the text directly. */
  exact: Asked[]
  /** Checked if the databases report a possible match. */
  searched: Asked[]
  /** Whether the flags of the text are needed. */
  isFlagged?: boolean
}

export type Sieve = {
  key: string
  steps: Step[]
  databases: Database[]
  /** All its gates, for a value that cannot be searched. */
  gates: number[]
  /** The steps by a text's flags, without those that do not change such a text. */
  plans: Record<number, Step[]>
  plansMade: number
  memory: Memory<number[]>
}

const plansMax = 256
/** A longer value is sifted with pauses: the clock is read between steps. */
const longText = 2048
const nothing: number[] = []

/** `key` is that of the source whose values it takes. Starts without databases. */
export const newSieve = (key: string): Sieve => ({
  key,
  steps: [{ before: 0, transform: undefined, exact: [], searched: [] }],
  ...{ databases: [], gates: [], plans: {}, plansMade: 0 },
  memory: newMemory(),
})

/** Adds a condition to the sieve. `isSearched`: its expression is in the sieve's databases. */
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

/** How many bytes are sifted between two clock readings; each value counts as at least `shortest`. */
const clockBytes = 1024
const shortest = 64
let sinceClock = clockBytes

/** The gates that a value opens. Returns undefined if there was no time to find out. */
export function gatesOf(sieve: Sieve, value: string, turn: Turn, tools: WafMatching): number[] | undefined {
  const known = recalled(sieve.memory, value)
  if (known !== undefined) return known
  // Reading the clock costs as much as a short value.
  sinceClock += value.length + shortest
  if (sinceClock > clockBytes) {
    sinceClock = 0
    if (tools.isOver(turn)) return undefined
  }
  const gates = sifted(sieve, value, turn, tools)
  if (gates !== undefined) remember(sieve.memory, value, gates)
  return gates
}

/** The steps for a text with these flags. Conditions of dropped steps move to the step before. */
function planOf(sieve: Sieve, flags: number, { changedBy }: WafTexts): Step[] {
  const known = sieve.plans[flags]
  if (known !== undefined) return known
  const { steps } = sieve
  const plan: Step[] = [{ before: 0, transform: undefined, exact: [], searched: [] }]
  /** The index of each step in the plan. */
  const places: number[] = [0]
  for (let at = 0; at < steps.length; at++) {
    const { before, transform, exact, searched } = steps[at]!
    let place = places[before]!
    // The result of another transformation may contain anything.
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

/** For one value: its texts and flags, by step, and the texts that were searched, with their candidates. */
type Work = { texts: string[]; flags: number[]; searched: string[]; candidatesOf: number[][] }
const newWork = (): Work => ({ texts: [], flags: [], searched: [], candidatesOf: [] })
/** Reused for values that are sifted without pauses, one after the other. */
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

/** The gates whose expressions may match a text. Returns undefined if the databases could not be searched. */
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

/** Returns false if time ran out. Reads the clock in between if `turn` is given, for a long value. */
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

/** The same for conditions that are checked directly. */
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
    // A text without an angle bracket or equals sign cannot be a script.
    if (condition.operator === 'detectXSS' && !condition.negated && (held & tools.texts.neededByScripts) === 0) continue
    if (!found.includes(gate) && opens(condition, text, tools)) found.push(gate)
  }
  return true
}
