/** The sieves of a rule set at one paranoia level, one for each source of values. */
import type { Prefilter } from '../../lib/waf-tools.ts'
import type { CompiledCondition, CompiledTarget, CompiledWafRule } from './compiled-rule.ts'
import { countOf, databaseName, gateIn, keyOf, placesOf, type Source, searchedIn, sourcesOf } from './gates.ts'
import { type Memory, newMemory } from './memory.ts'
import { addGate, newSieve, type Sieve } from './sieve.ts'

/** The sieve for the number of values of a target. */
type Count = { sieve: Sieve; target: CompiledTarget }

/** A gate, and the text that opened it. */
export type Opened = { gate: number; text: string }

export type Sieving = {
  /** By the source's key (`gates.ts`), except those for single headers and counts. */
  sieves: Record<string, Sieve | undefined>
  /** Those for single headers, by name. */
  headers: Record<string, Sieve | undefined>
  counts: Count[]
  /** The indexes of rules without a gate, and whether all of these only read what others set. */
  ungated: number[]
  isLateAlone: boolean
  /** What request lines open, and the cookie headers that open nothing. */
  lines: Memory<Opened[]>
  cookies: Memory<true>
}

/** Paths of a rule set and of its prefilter, if there is one. */
export type RuleSetFiles = { rules: string; prefilter?: string }

/** `prefilter`: once the node has it; until then all rules run. `sievings` are made from it, by paranoia level. */
export type CompiledRuleSet = {
  rules: CompiledWafRule[]
  prefilter: Prefilter | undefined
  sievings: Record<number, Sieving | undefined>
  /** Where it was read from, for threads. Absent while its prefilter is awaited. */
  files?: RuleSetFiles
  /** The indexes of all rules. */
  places?: number[]
}

/** The sieves of a paranoia level. Returns undefined without a prefilter. */
export function sievingOf({ rules, prefilter, sievings }: CompiledRuleSet, paranoia: number): Sieving | undefined {
  if (prefilter === undefined) return undefined
  sievings[paranoia] ??= compileSieving(rules, prefilter, paranoia)
  return sievings[paranoia]
}

/** Makes the sieves for a paranoia level. */
function compileSieving(rules: readonly CompiledWafRule[], prefilter: Prefilter, paranoia: number): Sieving {
  const made: Sieving = {
    ...{ sieves: {}, headers: {}, counts: [], ungated: [], isLateAlone: true },
    ...{ lines: newMemory(), cookies: newMemory() },
  }
  const headers: Source[] = []
  for (const { gate, level } of rules)
    if (gate !== undefined && level <= paranoia)
      for (const source of sourcesOf(gate.given)) if (source.header !== undefined) headers.push(source)
  for (let at = 0; at < rules.length; at++) {
    const { gate, level, isLate } = rules[at]!
    if (level > paranoia) continue
    if (gate === undefined) {
      made.ungated.push(at)
      if (!isLate) made.isLateAlone = false
    } else addRule({ made, prefilter, paranoia, headers }, at + 1, gate)
  }
  return made
}

type Making = { made: Sieving; prefilter: Prefilter; paranoia: number; headers: Source[] }

function addRule(making: Making, number: number, condition: CompiledCondition): void {
  const places = placesOf(condition.given).filter((place) => making.prefilter.refused[gateIn(place, number)] !== true)
  const added: string[] = []
  const add = (source: Source): void => {
    const key = keyOf(source)
    if (added.includes(key)) return
    added.push(key)
    const place = searchedIn(source)
    addGate(sieveOf(making, source, condition), number, condition, place !== undefined && places.includes(place))
  }
  for (const source of sourcesOf(condition.given)) {
    add(source)
    // A header that has a sieve of its own goes through that one only.
    if (source.from === 'REQUEST_HEADERS' && source.header === undefined && source.count === undefined)
      for (const header of making.headers) add(header)
  }
}

/** The sieve of a source, with the databases of its place. */
function sieveOf({ made, prefilter, paranoia }: Making, source: Source, condition: CompiledCondition): Sieve {
  const { header, count } = source
  const key = keyOf(source)
  if (count !== undefined) return countedBy(made, key, condition)
  const known = header === undefined ? made.sieves[key] : made.headers[header]
  if (known !== undefined) return known
  const place = searchedIn(source)
  const sieve = newSieve(key)
  for (let level = 1; level <= paranoia; level++) {
    const database = place === undefined ? undefined : prefilter.databases[databaseName(place, level)]
    if (database !== undefined) sieve.databases.push(database)
  }
  if (header === undefined) made.sieves[key] = sieve
  else made.headers[header] = sieve
  return sieve
}

function countedBy({ counts }: Sieving, key: string, { targets }: CompiledCondition): Sieve {
  for (const { sieve } of counts) if (sieve.key === key) return sieve
  const target = targets.find((one) => one.count === true && keyOf(countOf(one)) === key)!
  const sieve = newSieve(key)
  counts.push({ sieve, target })
  return sieve
}
