/** Whether responses carry the cache status, and who gets to see it. */
import { CacheStatus, cacheStatus } from '@breakwater/contract/delivery/cache-status.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { SiteSettings } from '../pickers/settings/SiteSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(CacheStatus)
const networksMax = 100

export function CacheStatusPanel({ siteId }: { siteId: number }) {
  const t = usePhrases('delivery')
  return (
    <SiteSettings
      group={cacheStatus}
      siteId={siteId}
      title={t('cacheStatus')}
      help={t('cacheStatus.help')}
      can="cache.write"
    >
      <Field.Switch name="enable" label={t('cacheStatus.enable')} />
      <Field.Lines
        name="networks"
        label={t('cacheStatus.networks')}
        help={t('cacheStatus.networksHelp')}
        max={networksMax}
        placeholder="192.0.2.0/24"
        apart
      />
    </SiteSettings>
  )
}
