/** Body rules of a site. */
import { bodyRules } from '@breakwater/contract/firewall/body-rules.ts'
import { laterFloat } from '../../kit/later-float.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { useRules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const BodyRuleForm = laterFloat('drawer', () => import('./BodyRuleForm.tsx').then((file) => file.BodyRuleForm))

export function BodyRulesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const rules = useRules(bodyRules, siteId, 'body-rules', 'firewall.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('body.title')}
        help={t('body.help')}
        empty={{ title: t('body.empty'), text: t('body.emptyText') }}
        templates={[{ label: t('tpl.php'), rule: { urlRegex: '^/upload', contains: '<?php' } }]}
      />
      {rules.edit && <BodyRuleForm key={rules.edit} rules={rules} onClose={rules.close} />}
    </>
  )
}
