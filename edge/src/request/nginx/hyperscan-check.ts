/**
 * Whether vectorscan finds what it is asked for: some versions miss matches on some processors (`hyperscan.ts`), and a WAF
 * that believes them lets attacks pass. Asked once, before a rule set is compiled.
 */
import { candidates, compileDatabase, loadDatabase } from './hyperscan.ts'

/** An expression, and what it matches with anything in between. */
type Probe = { expression: string; before: string; behind: string }

const probes: readonly Probe[] = [
  { expression: 'abc.*x', before: 'abc', behind: 'x' },
  { expression: '\\$\\{.*\\}', before: '${', behind: '}' },
  { expression: '<form[^>]*?>[\\s\\S]*?', before: '<form', behind: '>' },
  { expression: 'curl.*\\|\\s*python', before: 'curl ', behind: ' 2>&1 | python' },
]
const fills = ['a', '(', ' ']
/** More than the widest registers hold, twice. */
const longest = 200

/** The first of the probes that is not found in each text that it matches; nothing where all are. */
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
