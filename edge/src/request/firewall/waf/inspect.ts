/** Inspects one request with one rule set: in a worker, or in a thread beside it. */
import type { Inspected, Inspecting, WafMatching } from '../../lib/waf-tools.ts'
import { askLeft, evaluate } from './evaluate.ts'
import { type Facts, Inspection } from './inspection.ts'
import { never, offBy } from './overrides.ts'
import type { CompiledRuleSet } from './sieving.ts'

/** For a request without exceptions. Nobody modifies it. */
const none: number[] = []

/** Finds the rules that match, and why not everything was inspected. Charges nobody: `taken` says what it took. */
export function inspect(
  facts: Facts,
  ruleSet: CompiledRuleSet,
  { paranoia, exceptions, seconds, asideSeconds }: Inspecting,
  tools: WafMatching,
): Inspected {
  const applied = exceptions.length === 0 ? none : []
  const isOff = exceptions.length === 0 ? never : offBy(exceptions, applied)
  const turn = tools.beginTurn(seconds)
  const inspection = new Inspection(facts)
  const { matches, isCut, left } = evaluate(inspection, { ruleSet, paranoia, isOff, turn }, tools)
  const taken = tools.takenIn(turn)
  const excess = isCut ? 'time' : inspection.excess()
  if (left === undefined || asideSeconds === 0) return { matches, excess, applied, left: none, taken, asideTaken: 0 }
  // Decides nothing, so it costs no site CPU budget.
  const aside = tools.beginTurn(asideSeconds)
  const found = askLeft(inspection, ruleSet, left, { isOff: never, turn: aside }, tools)
  return { matches, excess, applied, left: found, taken, asideTaken: tools.takenIn(aside) }
}
