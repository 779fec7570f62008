/** How long the edge waits for a site's origins. */
import { OriginTimeouts, originTimeouts } from '@breakwater/contract/delivery/origin-timeouts.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { SiteSettings } from '../pickers/settings/SiteSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(OriginTimeouts)

export function TimeoutsPanel({ siteId }: { siteId: number }) {
  const t = usePhrases('domains')
  const unit = t('timeouts.unit')
  return (
    <SiteSettings
      group={originTimeouts}
      siteId={siteId}
      title={t('timeouts.title')}
      help={t('timeouts.help')}
      can="domains.write"
    >
      <Field.Number name="connect" label={t('timeouts.connect')} help={t('timeouts.connectHelp')} unit={unit} />
      <Field.Number name="firstByte" label={t('timeouts.firstByte')} help={t('timeouts.firstByteHelp')} unit={unit} />
      <Field.Number name="idle" label={t('timeouts.idle')} help={t('timeouts.idleHelp')} unit={unit} />
      <Field.Number
        name="websocketIdle"
        label={t('timeouts.websocketIdle')}
        help={t('timeouts.websocketIdleHelp')}
        unit={unit}
      />
    </SiteSettings>
  )
}
