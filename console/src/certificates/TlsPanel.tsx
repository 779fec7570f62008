/** The TLS settings of a site, and what browsers are told to remember. */
import { TlsSettings, tlsProfiles, tlsSettings } from '@breakwater/contract/certificates/tls-settings.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { SiteSettings } from '../pickers/settings/SiteSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(TlsSettings)

export function TlsPanel({ siteId }: { siteId: number }) {
  const t = usePhrases('certificates')
  return (
    <SiteSettings group={tlsSettings} siteId={siteId} title={t('tls')} help={t('tls.help')} can="domains.write">
      <Field.Select
        name="profile"
        label={t('tls.profile')}
        options={tlsProfiles.map((value) => ({ value, label: t(`tls.profile.${value}`) }))}
      />
      <Field.Number name="hstsSeconds" label={t('tls.hsts')} help={t('tls.hstsHelp')} unit={t('tls.seconds')} />
      <Field.Switch name="hstsSubdomains" label={t('tls.subdomains')} />
      <Field.Switch name="hstsPreload" label={t('tls.preload')} help={t('tls.preloadHelp')} />
    </SiteSettings>
  )
}
