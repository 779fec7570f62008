/**
 * The operator's DNS provider (screen `dnsSetting`): the zone of the edge, and the name server that accepts updates for
 * it.
 */
import { DnsSettings, dnsSettings, dnsTest, dnsTypes } from '@breakwater/contract/dns/dns-settings.ts'
import { useWatch } from 'react-hook-form'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { GroupSettings } from '../pickers/settings/GroupSettings.tsx'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { UnprocessedPanel } from './UnprocessedPanel.tsx'

const Field = fieldsOf(DnsSettings)

export function DnsScreen() {
  const t = usePhrases('dns')
  const test = useChange(dnsTest.test)
  return (
    <>
      <PageHead title={t('title')} help={t('help')} />
      <GroupSettings
        group={dnsSettings}
        title={t('provider')}
        help={t('provider.help')}
        can="settings.write"
        done={t('saved')}
        consequence={t('remove')}
        trial={{
          label: t('test'),
          run: async (body) => {
            await test.mutateAsync({ body })
            return t('tested')
          },
        }}
      >
        {({ secretSet }) => (
          <>
            <Field.Select
              name="dnsType"
              label={t('type')}
              options={dnsTypes.map((value) => ({ value, label: t(`type.${value || 'none'}`) }))}
            />
            <Server isStored={secretSet === true} />
          </>
        )}
      </GroupSettings>
      <UnprocessedPanel />
    </>
  )
}

/** With no DNS type selected, there is no server. */
function Server({ isStored }: { isStored: boolean }) {
  const t = usePhrases('dns')
  const dnsType: unknown = useWatch({ name: 'dnsType' })
  if (dnsType === '') return null
  return (
    <>
      <Field.Text name="domain" label={t('zone')} help={t('zone.help')} mono placeholder="edge.harbour.example" />
      <Field.Text name="account" label={t('server')} help={t('server.help')} mono placeholder="ns1.harbour.example" />
      <Field.Text name="key" label={t('key')} mono placeholder="breakwater" />
      <Field.Secret name="secret" label={t('secret')} help={t(isStored ? 'secret.kept' : 'secret.help')} />
    </>
  )
}
