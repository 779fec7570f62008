/** How the WAF's rules match on a node: alike for live and for simulated requests. */
import { decode } from 'cjson.safe'
import type { WafMatching } from '../lib/waf-tools.ts'
import { isCrossSiteScripting, isSqlInjection } from './injection.ts'
import { groups, matchingTime, search } from './patterns.ts'

export const wafMatching: WafMatching = {
  search,
  groups,
  cpuTime: matchingTime,
  isSqlInjection,
  isCrossSiteScripting,
  decode(text) {
    const [value] = decode(text)
    return value
  },
}
