/** Runs a WAF rule set on requests, without anything else of a site. For the lab. */
import type { RuleSetQuestion } from '@breakwater/contract/edge/node-disk.ts'
import { formDecoded } from '../bytes/url.ts'
import { evaluate } from '../firewall/waf/evaluate.ts'
import { bodyKindOf, Inspection } from '../firewall/waf/inspection.ts'
import { never } from '../firewall/waf/overrides.ts'
import type { CompiledRuleSet } from '../firewall/waf/sieving.ts'
import { waf } from '../firewall/waf.ts'
import { simulation } from '../guards/explain.ts'
import type { Tools } from '../lib/guard.ts'
import { hash, problemOf } from '../lib/shape.ts'
import { isListed } from '../nginx/address-list.ts'
import { countryOf } from '../nginx/countries.ts'
import { asnOf } from '../nginx/networks.ts'
import { matchesRegex, mayMatchRegex } from '../nginx/regex.ts'
import { beginTurn } from '../nginx/turns.ts'
import { wafMatching } from '../nginx/waf-matching.ts'
import { compileTools } from '../sites/objects.ts'

/** CPU seconds per slice: thousands of requests are checked in sequence, and each pause takes a millisecond. */
const slice = 0.02

const matching = {
  matches: matchesRegex,
  mayMatch: mayMatchRegex,
  listed: isListed,
  asn: asnOf,
  country: countryOf,
  formDecoded,
  waf: {
    ...wafMatching,
    beginTurn: (seconds: number) => beginTurn(seconds, slice),
    zoneRules: () => undefined,
  },
}

const bodyBytes = 131_072

function requireHash(ruleSet: string): void {
  const problem = problemOf(hash, ruleSet, 'ruleSet')
  if (problem !== undefined) throw new Error(problem)
}

export function tryRuleSet({ ruleSet, paranoia, requests }: RuleSetQuestion): unknown {
  requireHash(ruleSet)
  const compiled = waf.compile(
    {
      ...{ kind: 'waf', module: 0, ruleSet, mode: 'enforce', blockType: 0, paranoia, threshold: 5, bodyBytes },
      ...{ overBudget: 'pass', rules: [] },
    },
    compileTools,
  )
  const answers = requests.map((given) => {
    const { request, tools } = simulation(given, matching)
    if (compiled !== undefined) waf.check(compiled, request, tools)
    return request.waf ?? { score: 0, text: '' }
  })
  return { answers }
}

/** CPU seconds for one request: every rule runs, without prefilters, and no visitor waits for the result. */
const hitsTimeMax = 2

/** All rules that match: a log row names only the first of them, and their total score. */
export function hitsOfRuleSet({ ruleSet, paranoia, requests }: RuleSetQuestion): unknown {
  requireHash(ruleSet)
  const compiled = compileTools.wafRules(ruleSet) as unknown as CompiledRuleSet
  return { answers: requests.map((given) => hitsOf(compiled, paranoia, simulation(given, matching).tools)) }
}

function hitsOf(ruleSet: CompiledRuleSet, paranoia: number, tools: Tools): { rules: string; isCut: boolean } {
  const around = tools.waf!
  const facts = around.facts()
  const { decode } = around
  const isRead = facts.hasBody && bodyKindOf(tools.header('content-type')) !== undefined
  const body = isRead ? tools.body(bodyBytes) : undefined
  const inspection = new Inspection({ ...facts, body, decode, formDecoded })
  const turn = around.beginTurn(hitsTimeMax)
  const { matches, isCut } = evaluate(inspection, { ruleSet, paranoia, isOff: never, turn }, around)
  const seen: Record<number, true> = {}
  const rules: string[] = []
  for (const { rule } of matches) {
    if (seen[rule] === true) continue
    seen[rule] = true
    rules.push(`${rule}`)
  }
  return { rules: rules.join(' '), isCut }
}
