/** The first verdict of a guard's rules. */

import { firstOf } from '../lib/first-of.ts'
import type { EdgeRequest, Tools, Verdict } from '../lib/guard.ts'

/** Rules that LuaJIT surely compiles as one piece: three of three guards that count were too many. */
const rulesInPiece = 2

export const firstVerdict: <Rule>(
  this: void,
  rules: readonly Rule[],
  ask: (this: void, rule: Rule, request: EdgeRequest, tools: Tools) => Verdict | undefined,
  request: EdgeRequest,
  tools: Tools,
) => Verdict | undefined = firstOf<never, EdgeRequest, Tools, Verdict>(rulesInPiece) as never
