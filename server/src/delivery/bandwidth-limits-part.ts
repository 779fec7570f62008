/** Bandwidth limits as a part of a site's document, and what nodes get of them. */
import type { BandwidthLimit } from '@breakwater/contract/delivery/bandwidth-limits.ts'
import { ruleLists } from '@breakwater/contract/index.ts'
import { ruleListPart } from '../rules/rule-list-part.ts'

export const bandwidthLimitsPart = ruleListPart(ruleLists.bandwidthLimits, (rules, out) => {
  if (rules.length === 0) return
  const limits = rules.map(({ id, body }) => {
    const { urlRegex, rate, afterSize } = body as BandwidthLimit
    return { id, urlRegex, rate, afterSize }
  })
  out.set('bandwidth', { limits })
})
