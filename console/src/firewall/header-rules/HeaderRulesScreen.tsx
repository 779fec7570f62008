/** Header rules of a site; the drawer is shared with the anti-header rules of a domain. */
import { headerRules } from '@breakwater/contract/firewall/header-rules.ts'
import { laterFloat } from '../../kit/later-float.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { useRules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const AntiHeaderForm = laterFloat('drawer', () =>
  import('../anti-rules/AntiHeaderForm.tsx').then((file) => file.AntiHeaderForm),
)

export function HeaderRulesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const rules = useRules(headerRules, siteId, 'header-rules', 'firewall.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('headerRule.title')}
        help={t('headerRule.help')}
        empty={{ title: t('headerRule.empty'), text: t('headerRule.emptyText') }}
        templates={[{ label: t('tpl.noReferer'), rule: { urlRegex: '^/', header: 'Referer', valueRegex: '^$' } }]}
      />
      {rules.edit && <AntiHeaderForm key={rules.edit} rules={rules} tries="headerRules" onClose={rules.close} />}
    </>
  )
}
