/** Health checks of a site's origins. */
import { OriginHealth, originCheckTypes, originHealth } from '@breakwater/contract/delivery/origin-health.ts'
import { useWatch } from 'react-hook-form'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { SiteSettings } from '../pickers/settings/SiteSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(OriginHealth)

export function OriginHealthPanel({ siteId }: { siteId: number }) {
  const t = usePhrases('domains')
  return (
    <SiteSettings
      group={originHealth}
      siteId={siteId}
      title={t('health.title')}
      help={t('health.help')}
      can="domains.write"
    >
      <Field.Select
        name="type"
        label={t('health.type')}
        options={originCheckTypes.map((value) => ({ value, label: t(`health.type.${value}`) }))}
      />
      <Terms />
    </SiteSettings>
  )
}

/** The fields for the chosen type of check. */
function Terms() {
  const t = usePhrases('domains')
  const type = useWatch({ name: 'type' }) as OriginHealth['type']
  if (type === 'off') return null
  const unit = t('timeouts.unit')
  return (
    <>
      {type === 'http' && (
        <>
          <Field.Text name="path" label={t('health.path')} placeholder="/health" />
          <Field.Tags name="codes" label={t('health.codes')} help={t('health.codesHelp')} max={20} />
        </>
      )}
      <Field.Number name="interval" label={t('health.interval')} unit={unit} />
      <Field.Number name="timeout" label={t('health.timeout')} unit={unit} />
      <Field.Number name="fall" label={t('health.fall')} help={t('health.fallHelp')} />
      <Field.Number name="rise" label={t('health.rise')} help={t('health.riseHelp')} />
    </>
  )
}
