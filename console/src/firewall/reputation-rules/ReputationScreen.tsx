/** The sources of the reputation of addresses: the operator's list, and the bans of its sites. */
import { banPoints, reputationLinesMax, reputationSettings } from '@breakwater/contract/firewall/reputation.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { PageHead } from '../../kit/PageHead.tsx'
import { GroupSettings } from '../../pickers/settings/GroupSettings.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { AddressLookup } from './AddressLookup.tsx'

const Field = fieldsOf(reputationSettings.schema)

export function ReputationScreen() {
  const t = usePhrases('firewall')
  return (
    <>
      <PageHead title={t('scores.title')} help={t('scores.help')} />
      <GroupSettings
        group={reputationSettings}
        title={t('scores.sources')}
        help={t('scores.sourcesHelp')}
        can="settings.write"
        consequence={t('scores.reset')}
      >
        <Field.Switch name="countsBans" label={t('scores.bans')} help={t('scores.bansHelp', banPoints)} />
        <Field.Lines
          name="networks"
          label={t('scores.list')}
          help={t('scores.listHelp')}
          max={reputationLinesMax}
          placeholder="192.0.2.0/24,80"
        />
      </GroupSettings>
      <AddressLookup />
    </>
  )
}
