/** Anti-CC rules of a site. */
import { antiCC } from '@breakwater/contract/firewall/anti-cc.ts'
import { frequencies } from '@breakwater/contract/firewall/frequencies.ts'
import { Failed } from '../../kit/faults.tsx'
import { laterFloat } from '../../kit/later-float.tsx'
import { SiteRules } from '../../pickers/rules/SiteRules.tsx'
import { useRules } from '../../pickers/rules/useRules.ts'
import { useCall } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'

const AntiCCForm = laterFloat('drawer', () => import('./AntiCCForm.tsx').then((file) => file.AntiCCForm))

export function AntiCCScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const rules = useRules(antiCC, siteId, 'anti-cc', 'firewall.write')
  const offered = useCall(frequencies.get, {})
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('cc.title')}
        help={t('cc.help')}
        empty={{ title: t('cc.empty'), text: t('cc.emptyText') }}
        templates={[
          { label: t('tpl.wholeSite'), rule: { urlRegex: '^/' } },
          { label: t('tpl.signIns'), rule: { urlRegex: '^/login' } },
        ]}
      >
        {offered.isError && !offered.data && <Failed fault={offered.error} retry={() => offered.refetch()} />}
      </SiteRules>
      {rules.edit && offered.data && (
        <AntiCCForm key={rules.edit} rules={rules} offered={offered.data} onClose={rules.close} />
      )}
    </>
  )
}
