/** The topics of the rules in the rule set in use for a site, by number. */
import { waf } from '@breakwater/contract/modules/waf.ts'
import { useCall } from '../platform/calls.ts'
import { useMay } from '../platform/session.ts'

/**
 * Returns the name of a rule; undefined if the set does not have it, while loading, and without permission to read
 * modules.
 */
export function useRuleNames(siteId: number): (ruleID: number) => string | undefined {
  const may = useMay()
  const call = useCall(waf.calls.defaultRules, { query: { siteID: siteId } }, { enabled: may('modules.read') })
  const rules = call.data?.data
  return (ruleID) => rules?.find(({ id }) => id === ruleID)?.name
}
