/** How the WAF's rules match on a node, for live and simulated requests alike. */
import { decode, new as newJson } from 'cjson.safe'
import { wafTexts } from '../bytes/texts.ts'
import type { WafMatching } from '../lib/waf-tools.ts'
import { candidate, candidates } from './hyperscan.ts'
import { isCrossSiteScripting, isSqlInjection } from './injection.ts'
import { groups, search } from './patterns.ts'
import { beginTurn, isOver, takenIn } from './turns.ts'

/** The default parser accepts numbers that are not valid JSON, and a nesting depth of 1,000. */
const strict = newJson()
strict.decode_invalid_numbers(false)
strict.decode_max_depth(64)

export const wafMatching: WafMatching = {
  texts: wafTexts,
  search,
  groups,
  candidates,
  candidate,
  beginTurn,
  isOver,
  takenIn,
  isSqlInjection,
  isCrossSiteScripting,
  decode(text) {
    const [value] = decode(text)
    return value
  },
  json(text) {
    const [value] = strict.decode(text)
    return value
  },
}
