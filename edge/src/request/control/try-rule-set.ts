/** Asks a rule set of the WAF about requests, with nothing else of a site around it. For the lab. */
import type { RuleSetQuestion } from '@breakwater/contract/edge/node-disk.ts'
import { formDecoded } from '../bytes/url.ts'
import { waf } from '../firewall/waf.ts'
import { simulation } from '../guards/explain.ts'
import { hash, problemOf } from '../lib/shape.ts'
import { isListed } from '../nginx/address-list.ts'
import { asnOf } from '../nginx/networks.ts'
import { matchesRegex, mayMatchRegex } from '../nginx/regex.ts'
import { wafMatching } from '../nginx/waf-matching.ts'
import { compileTools } from '../sites/objects.ts'

export function tryRuleSet({ ruleSet, paranoia, requests }: RuleSetQuestion): unknown {
  const problem = problemOf(hash, ruleSet, 'ruleSet')
  if (problem !== undefined) throw new Error(problem)
  const asked = { ...wafMatching, zoneRules: () => undefined }
  const matching = {
    matches: matchesRegex,
    mayMatch: mayMatchRegex,
    listed: isListed,
    asn: asnOf,
    formDecoded,
    waf: asked,
  }
  const compiled = waf.compile(
    {
      ...{ kind: 'waf', module: 0, ruleSet, mode: 'enforce', blockType: 0, paranoia, threshold: 5, bodyBytes: 131_072 },
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
