/** The sieves of a rule set at one paranoia level, one for each source of values. */
import type { Prefilter } from '../../lib/waf-tools.ts'
import type { CompiledCondition, CompiledTarget, CompiledWafRule } from './compiled-rule.ts'
import { countOf, databaseName, gateIn, keyOf, placesOf, type Source, searchedIn, sourcesOf } from './gates.ts'
import { type Memory, newMemory } from './memory.ts'
import { addGate, newSieve, type Sieve } from './sieve.ts'

/** How many values of a target there are. */
type Count = { sieve: Sieve; target: CompiledTarget }

/** A gate, and the text that opened it. */
export type Opened = { gate: number; text: string }

export type Sieving = {
  /** By the source's key (`gates.ts`), but for those of one header and of numbers. */
  sieves: Record<string, Sieve | undefined>
  /** Those of one header, by its name. */
  headers: Record<string, Sieve | undefined>
  counts: Count[]
  /** The places in the set of rules without a gate; whether all of these ask for what others set. */
  ungated: number[]
  isLateAlone: boolean
  /** What request lines open, and the cookie headers that open nothing. */
  lines: Memory<Opened[]>
  cookies: Memory<true>
}

/** `prefilter`: once the node has it; all rules are asked until then. `sievings` are made of it by paranoia level. */
export type CompiledRuleSet = {
  rules: CompiledWafRule[]
  prefilter: Prefilter | undefined
  sievings: Record<number, Sieving | undefined>
  /** The places of all rules. */
  places?: number[]
}

/** That of a paranoia level, where there is a prefilter. */
export function sievingOf({ rules, prefilter, sievings }: CompiledRuleSet, paranoia: number): Sieving | undefined {
  if (prefilter === undefined) return undefined
  sievings[paranoia] ??= compileSieving(rules, prefilter, paranoia)
  return sievings[paranoia]
}

/** Sieves for a paranoia level. */
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
    // Each header of a name is sifted by that name's sieve alone.
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
