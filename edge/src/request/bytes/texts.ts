/** The text functions that WAF rules use. */
import type { WafTexts } from '../lib/waf-tools.ts'
import { isUtf8 } from './decoders.ts'
import { changedBy, flagsOf, neededByScripts } from './flags.ts'
import { holdsByte } from './set.ts'
import { transforms } from './transforms.ts'
import { isUrlEncoded } from './url.ts'

export const wafTexts: WafTexts = {
  ...{ changedBy, flagsOf, neededByScripts, isUrlEncoded, isUtf8, holdsByte },
  transform(name, text) {
    const made = transforms[name](text)
    return made
  },
}
