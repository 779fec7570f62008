/** The topics of the rules in the rule set in use for a site. */
import { waf } from '@breakwater/contract/modules/waf.ts'
import { useWatch } from 'react-hook-form'
import { useRuleNames } from '../pickers/waf-rule-names.ts'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

/** Names the rule for the number in the form. */
export function WafRuleNames({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
  const nameOf = useRuleNames(siteId)
  const ruleID = Number(useWatch({ name: 'ruleID' }))
  const name = ruleID === 0 ? t('waf.everyRule') : (nameOf(ruleID) ?? t('waf.unknownRule'))
  return (
    <p role="status" className="-mt-2 mb-4 text-ink-2">
      {name}
    </p>
  )
}

/** Names the rule set in use for the site, with its version. */
export function WhichRuleSet({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
  const { data } = useCall(waf.calls.ruleSet, { siteId })
  if (!data) return null
  return <p className="mb-4 text-ink-2">{t('waf.decides', { name: data.name, rules: data.rules })}</p>
}
