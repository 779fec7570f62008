/** What the rules of the set that decides for a site are about, by their numbers. */
import { waf } from '@breakwater/contract/modules/waf.ts'
import { useCall } from '../platform/calls.ts'
import { useMay } from '../platform/session.ts'

/** The name of a rule; nothing for one that the set has not, while they are asked for, and for who may not see modules. */
export function useRuleNames(siteId: number): (ruleID: number) => string | undefined {
  const may = useMay()
  const call = useCall(waf.calls.defaultRules, { query: { siteID: siteId } }, { enabled: may('modules.read') })
  const rules = call.data?.data
  return (ruleID) => rules?.find(({ id }) => id === ruleID)?.name
}
