/** How the WAF's rules match in a worker, for live and simulated requests alike. */
import type { WafMatching } from '../lib/waf-tools.ts'
import { groups, search } from './patterns.ts'
import { beginTurn, isOver, takenIn } from './turns.ts'
import { wafLibraries } from './waf-libraries.ts'

export const wafMatching: WafMatching = { ...wafLibraries, search, groups, beginTurn, isOver, takenIn }
