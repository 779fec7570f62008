/** Bandwidth limits of a site. */
import { bandwidthLimits } from '@breakwater/contract/delivery/bandwidth-limits.ts'
import { laterFloat } from '../kit/later-float.tsx'
import { SiteRules } from '../pickers/rules/SiteRules.tsx'
import { useRules } from '../pickers/rules/useRules.ts'
import { usePhrases } from '../platform/phrases.ts'

const BandwidthForm = laterFloat('drawer', () => import('./BandwidthForm.tsx').then((file) => file.BandwidthForm))

export function BandwidthScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('delivery')
  const rules = useRules(bandwidthLimits, siteId, 'bandwidth-limits', 'cache.write')
  return (
    <>
      <SiteRules
        rules={rules}
        title={t('rate')}
        help={t('rate.help')}
        empty={{ title: t('rate.empty'), text: t('rate.emptyText') }}
        removal={t('rate.removal')}
        templates={[
          { label: t('tpl.videos'), rule: { urlRegex: '\\.(mp4|webm)$', rate: 1_000_000, afterSize: 5_000_000 } },
        ]}
      />
      {rules.edit && <BandwidthForm key={rules.edit} rules={rules} onClose={rules.close} />}
    </>
  )
}
