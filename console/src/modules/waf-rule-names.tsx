/** What the rules of the Core Rule Set are about, by their numbers. */
import { waf } from '@breakwater/contract/modules/waf.ts'
import { useWatch } from 'react-hook-form'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

/** The name of a rule; nothing for one that the set has not. */
export function useRuleNames(): (ruleID: number) => string | undefined {
  const call = useCall(waf.calls.defaultRules, {})
  const rules = call.data?.data
  return (ruleID) => rules?.find(({ id }) => id === ruleID)?.name
}

/** Says which rule the form's number means. */
export function WafRuleNames() {
  const t = usePhrases('modules')
  const nameOf = useRuleNames()
  const ruleID = Number(useWatch({ name: 'ruleID' }))
  const name = ruleID === 0 ? t('waf.everyRule') : (nameOf(ruleID) ?? t('waf.unknownRule'))
  return (
    <p role="status" className="-mt-2 mb-4 text-ink-2">
      {name}
    </p>
  )
}
