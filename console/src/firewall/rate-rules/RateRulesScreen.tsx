/** Rate rules of a site. The reference implementation of a rule list: copy this folder. */
import { rateRules } from '@breakwater/contract/firewall/rate-rules.ts'
import { laterFloat } from '../../kit/later-float.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { useRules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const RateRuleForm = laterFloat('drawer', () => import('./RateRuleForm.tsx').then((file) => file.RateRuleForm))

export function RateRulesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const rules = useRules(rateRules, siteId, 'rate-rules', 'firewall.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('rate.title')}
        help={t('rate.help')}
        empty={{ title: t('rate.empty'), text: t('rate.emptyText') }}
        templates={[
          { label: t('tpl.login'), rule: { urlRegex: '^/login', rate: 5, burst: 10 } },
          { label: t('tpl.api'), rule: { urlRegex: '^/api/', rate: 50, burst: 100 } },
        ]}
      />
      {rules.edit && <RateRuleForm key={rules.edit} rules={rules} onClose={rules.close} />}
    </>
  )
}
