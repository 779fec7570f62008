/** The first verdict of a guard's rules. */

import { firstOf } from '../lib/first-of.ts'
import type { EdgeRequest, Tools, Verdict } from '../lib/guard.ts'

/** Rules that LuaJIT surely compiles as one piece: three of three guards that count were too many. */
const rulesInPiece = 2

type Ask<Rule> = (this: void, rule: Rule, request: EdgeRequest, tools: Tools) => Verdict | undefined

/** A function that asks a list of rules of one guard; each guard makes one, once. */
export const firstVerdictOf = <Rule>(ask: Ask<Rule>) => firstOf<Rule, EdgeRequest, Tools, Verdict>(rulesInPiece, ask)
