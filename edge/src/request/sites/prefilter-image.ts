/** Makes the file with a rule set's databases (`load-prefilter.ts`). */

import type { WafRule } from '@breakwater/contract/edge/waf-rules.ts'
import { encode } from 'cjson.safe'
import { databasePlans, gateIn, places } from '../firewall/waf/gates.ts'
import type { Database } from '../lib/waf-tools.ts'
import { hex, sha256 } from '../nginx/crypto.ts'
import {
  candidate,
  candidates,
  compileDatabase,
  type Expression,
  hasHyperscan,
  hyperscanVersion,
  loadDatabase,
} from '../nginx/hyperscan.ts'
import { missedProbe } from '../nginx/hyperscan-check.ts'
import { raise } from '../nginx/raise.ts'
import type { Head } from './load-prefilter.ts'
import { manyOf, ordinaryValues } from './ordinary-values.ts'

/** Changed whenever existing images must be rebuilt. This edition is built only if no match is missed. */
const edition = 'checked'

/** A name derived from everything that determines the contents: the expressions, and the library version. */
export function imageName(rules: readonly WafRule[]): string {
  const words = [hyperscanVersion(), edition]
  for (const place of places) words.push(place, ...ordinaryValues[place])
  for (const { name, patterns } of databasePlans(rules))
    for (const { gate, expression, ignoresCase } of patterns)
      words.push(name, `${gate}`, ignoresCase ? 'i' : '', expression)
  return hex(sha256(words.join('\0')))
}

/** Compiles all databases of a rule set; takes seconds. */
export function imageOf(rules: readonly WafRule[]): string {
  if (!hasHyperscan()) return raise('the package libvectorscan5 is not installed')
  const missed = missedProbe()
  if (missed !== undefined)
    return raise(`vectorscan ${hyperscanVersion()} misses matches of ${missed} on this processor`)
  const head: Head = { databases: [], refused: [] }
  const bodies: string[] = []
  for (const { name, place, patterns } of databasePlans(rules)) {
    const expressions = patterns.map(({ gate, expression, ignoresCase }) => ({ id: gate, expression, ignoresCase }))
    const { bytes, refused } = compileQuiet(expressions, ordinaryValues[place])
    for (const gate of refused) head.refused.push(gateIn(place, gate))
    if (bytes === '') continue
    head.databases.push({ name, bytes: bytes.length })
    bodies.push(bytes)
  }
  return [encode(head), '\n', ...bodies].join('')
}

/** A database without the expressions that may match many of the values; those count as refused, too. */
function compileQuiet(given: readonly Expression[], values: readonly string[]): { bytes: string; refused: number[] } {
  const made = compileDatabase(given)
  const noisy = made.bytes === '' ? [] : idsOfMany(loadDatabase(made.bytes), values)
  if (noisy.length === 0) return made
  const quiet = given.filter(({ id }) => !noisy.includes(id) && !made.refused.includes(id))
  return {
    bytes: quiet.length === 0 ? '' : compileDatabase(quiet).bytes,
    refused: [...made.refused, ...noisy],
  }
}

function idsOfMany(database: Database, values: readonly string[]): number[] {
  const counts: Record<number, number> = {}
  const found: number[] = []
  for (const value of values) {
    const count = candidates(database, value)
    for (let at = 0; at < count; at++) {
      const id = candidate(at)
      counts[id] = (counts[id] ?? 0) + 1
      if (counts[id] >= values.length * manyOf && !found.includes(id)) found.push(id)
    }
  }
  return found
}
