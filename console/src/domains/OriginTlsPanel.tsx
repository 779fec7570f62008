/** How nodes verify origins over TLS, and the server names (SNI) that they send. */
import { OriginTls, originTls, originVerifications } from '@breakwater/contract/delivery/origin-tls.ts'
import { useWatch } from 'react-hook-form'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { SiteSettings } from '../pickers/settings/SiteSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(OriginTls)

export function OriginTlsPanel({ siteId }: { siteId: number }) {
  const t = usePhrases('domains')
  return (
    <SiteSettings group={originTls} siteId={siteId} title={t('tls.title')} help={t('tls.help')} can="domains.write">
      <Field.Select
        name="verify"
        label={t('tls.verify')}
        options={originVerifications.map((value) => ({ value, label: t(`tls.verify.${value}`) }))}
      />
      <Believed />
      <Field.Text
        name="serverName"
        label={t('tls.serverName')}
        help={t('tls.serverNameHelp')}
        placeholder="origin.example.com"
      />
      <Field.Text name="host" label={t('tls.host')} help={t('tls.hostHelp')} placeholder="origin.example.com" />
    </SiteSettings>
  )
}

/** The fields for the chosen way to verify. */
function Believed() {
  const t = usePhrases('domains')
  const verify = useWatch({ name: 'verify' }) as OriginTls['verify']
  if (verify === 'ca')
    return (
      <Field.Block name="ca" label={t('tls.ca')} help={t('tls.caHelp')} placeholder="-----BEGIN CERTIFICATE-----" />
    )
  if (verify === 'pin') return <Field.Tags name="pins" label={t('tls.pins')} help={t('tls.pinsHelp')} max={10} />
  return null
}
