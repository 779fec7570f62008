/** The certificate authorities of an operator: its accounts there, in the order in which they are tried. */
import {
  Acme,
  acme,
  GoogleTrust,
  googleTrust,
  ZeroSSL,
  zeroSSL,
} from '@breakwater/contract/certificates/authorities.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { GroupSettings } from '../pickers/settings/GroupSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

const OfAcme = fieldsOf(Acme)
const OfGoogle = fieldsOf(GoogleTrust)
const OfZero = fieldsOf(ZeroSSL)

export function AuthoritiesScreen() {
  const t = usePhrases('certificates')
  const shared = { can: 'settings.write', done: t('saved') } as const
  const kept = (isStored: unknown) => (isStored ? { help: t('secret.kept') } : {})
  return (
    <>
      <PageHead title={t('authorities.title')} help={t('authorities.help')} />
      <GroupSettings group={acme} title={t('acme.title')} help={t('acme.help')} {...shared}>
        {({ hmacKeySet }) => (
          <>
            <OfAcme.Switch name="enable" label={t('authority.enable')} />
            <OfAcme.Text name="url" label={t('acme.url')} help={t('acme.urlHelp')} mono inputMode="url" />
            <OfAcme.Text name="email" label={t('authority.email')} help={t('authority.emailHelp')} inputMode="email" />
            <OfAcme.Text name="keyID" label={t('authority.keyID')} help={t('acme.keyIDHelp')} mono />
            <OfAcme.Secret name="hmacKey" label={t('authority.hmacKey')} {...kept(hmacKeySet)} />
            <OfAcme.Text name="profile" label={t('acme.profile')} help={t('acme.profileHelp')} mono />
            <OfAcme.Block name="authorities" label={t('acme.trusted')} help={t('acme.trustedHelp')} />
            <OfAcme.Number name="perSite" label={t('acme.perSite')} help={t('acme.perSiteHelp')} />
          </>
        )}
      </GroupSettings>
      <GroupSettings group={googleTrust} title={t('google.title')} help={t('google.help')} {...shared}>
        {({ hmacKeySet }) => (
          <>
            <OfGoogle.Switch name="enable" label={t('authority.enable')} />
            <OfGoogle.Text name="keyID" label={t('authority.keyID')} mono />
            <OfGoogle.Secret name="hmacKey" label={t('authority.hmacKey')} {...kept(hmacKeySet)} />
          </>
        )}
      </GroupSettings>
      <GroupSettings group={zeroSSL} title={t('zero.title')} help={t('zero.help')} {...shared}>
        {({ accessKeySet }) => (
          <>
            <OfZero.Switch name="enable" label={t('authority.enable')} />
            <OfZero.Secret name="accessKey" label={t('zero.accessKey')} {...kept(accessKeySet)} />
            <OfZero.Text name="email" label={t('authority.email')} help={t('authority.emailHelp')} inputMode="email" />
          </>
        )}
      </GroupSettings>
    </>
  )
}
