/** Allow list and deny list of a site: two lists of the same shape. */
import { allowRules, denyRules } from '@breakwater/contract/firewall/ip-rules.ts'
import { laterFloat } from '../../kit/later-float.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { useRules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'

const IpRuleForm = laterFloat('drawer', () => import('./IpRuleForm.tsx').then((file) => file.IpRuleForm))

const lists = { allow: allowRules, deny: denyRules }
type Kind = keyof typeof lists

export const AllowListScreen = ({ siteId }: { siteId: number }) => <IpRulesScreen siteId={siteId} kind="allow" />
export const DenyListScreen = ({ siteId }: { siteId: number }) => <IpRulesScreen siteId={siteId} kind="deny" />

function IpRulesScreen({ siteId, kind }: { siteId: number; kind: Kind }) {
  const t = usePhrases('firewall')
  const rules = useRules(lists[kind], siteId, `${kind}-rules`, 'firewall.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={t(`${kind}.title`)}
        help={t(`${kind}.help`)}
        empty={{ title: t(`${kind}.empty`), text: t(`${kind}.emptyText`) }}
      />
      {rules.edit && (
        <IpRuleForm
          key={rules.edit}
          rules={rules}
          onClose={rules.close}
          kind={kind === 'allow' ? 'allowRules' : 'denyRules'}
        />
      )}
    </>
  )
}
