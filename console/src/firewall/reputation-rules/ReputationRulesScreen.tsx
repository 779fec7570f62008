/** Reputation rules of a site. */
import { reputationRules } from '@breakwater/contract/firewall/reputation-rules.ts'
import { laterFloat } from '../../kit/later-float.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { useRules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const ReputationRuleForm = laterFloat('drawer', () =>
  import('./ReputationRuleForm.tsx').then((file) => file.ReputationRuleForm),
)

export function ReputationRulesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const rules = useRules(reputationRules, siteId, 'reputation-rules', 'firewall.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('trust.title')}
        help={t('trust.help')}
        empty={{ title: t('trust.empty'), text: t('trust.emptyText') }}
        templates={[{ label: t('tpl.login'), rule: { urlRegex: '^/login', score: 20 } }]}
      />
      {rules.edit && <ReputationRuleForm key={rules.edit} rules={rules} onClose={rules.close} />}
    </>
  )
}
