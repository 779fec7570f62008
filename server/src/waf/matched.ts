/** Rows that a rule of the WAF matched, or that could not be looked at whole: not those that tell of exceptions alone. */
import { exceptWord } from '@breakwater/contract/edge/waf-words.ts'

export const matchedSql = `waf != '' AND NOT startsWith(waf, '${exceptWord}:')`
