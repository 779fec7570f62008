/** Returns the first verdict among a guard's rules. */

import { firstOf } from '../lib/first-of.ts'
import type { EdgeRequest, Tools, Verdict } from '../lib/guard.ts'

/** How many rules LuaJIT reliably compiles into one trace: three each of three counting guards were too many. */
const rulesInTrace = 2

type Ask<Rule> = (this: void, rule: Rule, request: EdgeRequest, tools: Tools) => Verdict | undefined

/** Makes the function that checks a guard's list of rules; each guard calls this once. */
export const firstVerdictOf = <Rule>(ask: Ask<Rule>) => firstOf<Rule, EdgeRequest, Tools, Verdict>(rulesInTrace, ask)
