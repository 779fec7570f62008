/** How large request and response heads may be on the nodes of a zone. */
import { zoneConfiguration } from '@breakwater/contract/nodes/zone-configuration.ts'
import { HeadLimits, headLimits } from '@breakwater/contract/nodes/zone-settings.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { GroupSettings } from '../pickers/settings/GroupSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(HeadLimits)
const refreshes = [zoneConfiguration.status, zoneConfiguration.history]

export function ZoneLimits({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  return (
    <>
      <PageHead title={t('limits')} help={t('limits.help')} />
      <GroupSettings
        group={headLimits}
        place={{ zoneId }}
        title={t('heads')}
        help={t('heads.help')}
        can="zones.write"
        refreshes={refreshes}
      >
        <Field.Number name="line" label={t('heads.line')} help={t('heads.lineHelp')} unit={t('bytes')} />
        <Field.Number name="request" label={t('heads.request')} help={t('heads.requestHelp')} unit={t('bytes')} />
        <Field.Number name="response" label={t('heads.response')} help={t('heads.responseHelp')} unit={t('bytes')} />
      </GroupSettings>
    </>
  )
}
