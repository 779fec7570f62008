/** How the WAF's rules match on a node: alike for live and for simulated requests. */
import { decode } from 'cjson.safe'
import type { WafMatching } from '../lib/waf-tools.ts'
import { candidate, candidates } from './hyperscan.ts'
import { isCrossSiteScripting, isSqlInjection } from './injection.ts'
import { groups, matchingTime, search } from './patterns.ts'

export const wafMatching: WafMatching = {
  search,
  groups,
  candidates,
  candidate,
  cpuTime: matchingTime,
  isSqlInjection,
  isCrossSiteScripting,
  decode(text) {
    const [value] = decode(text)
    return value
  },
}
