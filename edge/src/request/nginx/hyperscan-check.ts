/**
 * Checks that vectorscan finds what it should: some versions miss matches on some processors (`hyperscan.ts`), and a
 * WAF that relies on them lets attacks pass. Run once, before a rule set is compiled.
 */
import { candidates, compileDatabase, loadDatabase } from './hyperscan.ts'

/** An expression, and the two ends of texts that it matches, with anything in between. */
type Probe = { expression: string; before: string; behind: string }

const probes: readonly Probe[] = [
  { expression: 'abc.*x', before: 'abc', behind: 'x' },
  { expression: '\\$\\{.*\\}', before: '${', behind: '}' },
  { expression: '<form[^>]*?>[\\s\\S]*?', before: '<form', behind: '>' },
  { expression: 'curl.*\\|\\s*python', before: 'curl ', behind: ' 2>&1 | python' },
]
const fills = ['a', '(', ' ']
/** More than twice the width of the widest registers. */
const longest = 200

/** The first probe that misses one of its texts. Returns undefined if all are found. */
export function missedProbe(): string | undefined {
  for (const { expression, before, behind } of probes) {
    const { bytes } = compileDatabase([{ id: 1, expression, ignoresCase: false }])
    const database = loadDatabase(bytes)
    for (const fill of fills)
      for (let length = 0; length < longest; length++)
        if (candidates(database, before + fill.repeat(length) + behind) === 0) return expression
  }
  return undefined
}
