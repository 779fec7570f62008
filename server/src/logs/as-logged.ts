/**
 * Fills in the results of guards that decide by data that no row holds: signatures, passwords, headers and a body.
 * Explain does not run them again: the row says which of them decided, and what the WAF found.
 */
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import type { Explanation, GuardStep } from '@breakwater/contract/edge/explain.ts'

const notAskedAnew = ['tokenAuths', 'authRules', 'waf']

export function asLogged(explanation: Explanation, row: RequestRow): Explanation {
  const found = row.waf ? { score: row.wafScore ?? 0, text: row.waf } : undefined
  const place = notAskedAnew.includes(row.guard) ? explanation.steps.findIndex(({ guard }) => guard === row.guard) : -1
  const decided = place >= 0 && (row.action === 'block' || row.action === 'challenge') ? row.action : undefined
  const outcome: GuardStep['outcome'] = decided ?? 'observe'
  const steps = explanation.steps.map((given, at): GuardStep => {
    const step = given.guard === 'waf' && found ? { ...given, waf: found } : given
    if (at === place) return { ...step, outcome, rule: row.rule, cause: row.cause }
    return decided && at > place ? { ...step, outcome: 'skipped' as const, rule: 0, cause: 0 } : step
  })
  return { ...explanation, steps, verdict: decided ?? explanation.verdict }
}
