/** The product's order of battle, readable as a list. The first verdict decides; an allow rule ends it. */

import type { FirewallPart } from '@breakwater/contract/edge/artefact.ts'
import { allowRules } from './firewall/allow-rules.ts'
import { bodyRules } from './firewall/body-rules.ts'
import { challenge } from './firewall/challenge.ts'
import { denyRules } from './firewall/deny-rules.ts'
import { protocol } from './firewall/protocol.ts'
import { rateRules } from './firewall/rate-rules.ts'
import type { CompileTools, EdgeRequest, Guard, Tools, Verdict } from './guard.ts'

/** A guard together with what it compiled for one site: the type of the latter is its own affair. */
export type Step = { guard: Guard<unknown>; compiled: unknown }

export const guards = [protocol, allowRules, denyRules, rateRules, challenge, bodyRules] as Guard<unknown>[]

/** The guards that have something to do for a site with these rules. */
export function compileGuards(firewall: FirewallPart, tools: CompileTools): Step[] {
  const steps: Step[] = []
  for (const guard of guards) {
    const compiled = guard.compile(firewall, tools)
    if (compiled !== undefined) steps.push({ guard, compiled })
  }
  return steps
}

function ask(step: Step | undefined, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (step === undefined) return undefined
  const verdict = step.guard.check(step.compiled, request, tools)
  return verdict
}

/**
 * Asks the guards in order. Nothing means that the request may pass; `allow` means so too, and says why. Without a loop
 * (`firstVerdict`), and not by that function, which guards use themselves: LuaJIT would take it for a recursion.
 */
export function decide(steps: Step[], request: EdgeRequest, tools: Tools): Verdict | undefined {
  let verdict = ask(steps[0], request, tools)
  verdict ??= ask(steps[1], request, tools)
  verdict ??= ask(steps[2], request, tools)
  verdict ??= ask(steps[3], request, tools)
  verdict ??= ask(steps[4], request, tools)
  verdict ??= ask(steps[5], request, tools)
  for (let i = 6; i < steps.length && verdict === undefined; i++) verdict = ask(steps[i], request, tools)
  return verdict
}
