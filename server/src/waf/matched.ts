/** Rows that a WAF rule matched, or that could not be inspected completely: not those that only record exceptions. */
import { exceptWord } from '@breakwater/contract/edge/waf-words.ts'

export const matchedSql = `waf != '' AND NOT startsWith(waf, '${exceptWord}:')`
