/** What the WAF's rules match with, in workers and in threads alike: everything except expressions and time. */
import { decode, new as newJson } from 'cjson.safe'
import { wafTexts } from '../bytes/texts.ts'
import type { WafMatching } from '../lib/waf-tools.ts'
import { candidate, candidates } from './hyperscan.ts'
import { isCrossSiteScripting, isSqlInjection } from './injection.ts'

/** The default parser accepts numbers that are not valid JSON, and a nesting depth of 1,000. */
const strict = newJson()
strict.decode_invalid_numbers(false)
strict.decode_max_depth(64)

type Timed = 'search' | 'groups' | 'beginTurn' | 'isOver' | 'takenIn'

export const wafLibraries: Omit<WafMatching, Timed> = {
  texts: wafTexts,
  candidates,
  candidate,
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
