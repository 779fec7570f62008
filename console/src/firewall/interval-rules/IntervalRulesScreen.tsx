/** Interval rules of a site. */
import { intervalRules } from '@breakwater/contract/firewall/interval-rules.ts'
import { laterFloat } from '../../kit/later-float.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { useRules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const IntervalRuleForm = laterFloat('drawer', () =>
  import('./IntervalRuleForm.tsx').then((file) => file.IntervalRuleForm),
)

export function IntervalRulesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const rules = useRules(intervalRules, siteId, 'interval-rules', 'firewall.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('interval.title')}
        help={t('interval.help')}
        empty={{ title: t('interval.empty'), text: t('interval.emptyText') }}
        templates={[
          { label: t('tpl.signIns'), rule: { urlRegex: '^/login', seconds: 600, times: 20 } },
          { label: t('tpl.search'), rule: { urlRegex: '^/search', seconds: 60, times: 30 } },
        ]}
      />
      {rules.edit && <IntervalRuleForm key={rules.edit} rules={rules} onClose={rules.close} />}
    </>
  )
}
