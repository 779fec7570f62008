/** Region rules of a site. */
import { regionRules } from '@breakwater/contract/firewall/region-rules.ts'
import { laterFloat } from '../../kit/later-float.tsx'
import { CountryAttribution } from '../../pickers/country.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { useRules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const RegionRuleForm = laterFloat('drawer', () => import('./RegionRuleForm.tsx').then((file) => file.RegionRuleForm))

export function RegionRulesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const rules = useRules(regionRules, siteId, 'region-rules', 'firewall.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('region.title')}
        help={t('region.help')}
        empty={{ title: t('region.empty'), text: t('region.emptyText') }}
        templates={[{ label: t('tpl.onlyHere'), rule: { isBlack: false, blockType: 0 } }]}
      />
      <p className="mt-3">
        <CountryAttribution />
      </p>
      {rules.edit && <RegionRuleForm key={rules.edit} rules={rules} onClose={rules.close} />}
    </>
  )
}
