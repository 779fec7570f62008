/** The file of a rule set's databases: a line of JSON that says what is in it, and their bytes. */

import type { WafRule } from '@breakwater/contract/edge/waf-rules.ts'
import { decode, encode } from 'cjson.safe'
import { databasePlans } from '../firewall/waf/gates.ts'
import type { Prefilter } from '../lib/waf-tools.ts'
import { hex, sha256 } from '../nginx/crypto.ts'
import { compileDatabase, hyperscanVersion, loadDatabase } from '../nginx/hyperscan.ts'
import { raise } from '../nginx/protect.ts'

type Head = { databases: { name: string; bytes: number }[]; refused: number[] }

/** Named after all that decides what is in it: the expressions, and the library. */
export function imageName(rules: readonly WafRule[]): string {
  const words = [hyperscanVersion()]
  for (const { name, patterns } of databasePlans(rules))
    for (const { gate, expression, ignoresCase } of patterns)
      words.push(name, `${gate}`, ignoresCase ? 'i' : '', expression)
  return hex(sha256(words.join('\0')))
}

/** Compiles all databases of a rule set; takes seconds. */
export function imageOf(rules: readonly WafRule[]): string {
  const head: Head = { databases: [], refused: [] }
  const bodies: string[] = []
  for (const { name, patterns } of databasePlans(rules)) {
    const expressions = patterns.map(({ gate, expression, ignoresCase }) => ({ id: gate, expression, ignoresCase }))
    const { bytes, refused } = compileDatabase(expressions)
    for (const gate of refused) head.refused.push(gate)
    if (bytes === '') continue
    head.databases.push({ name, bytes: bytes.length })
    bodies.push(bytes)
  }
  return [encode(head), '\n', ...bodies].join('')
}

/** Throws where it is damaged or of another version. */
export function loadImage(image: string): Prefilter {
  const end = image.indexOf('\n')
  const [read] = decode(image.substring(0, Math.max(end, 0)))
  if (end < 0 || read === undefined) return raise('the databases of a rule set are damaged')
  const head = read as Head
  const prefilter: Prefilter = { databases: {}, refused: {} }
  // A list without entries is written as an object.
  for (let at = 0; at < head.refused.length; at++) prefilter.refused[head.refused[at]!] = true
  let from = end + 1
  for (const { name, bytes } of head.databases) {
    prefilter.databases[name] = loadDatabase(string.sub(image, from + 1, from + bytes))
    from += bytes
  }
  return prefilter
}
