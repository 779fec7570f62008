/** The authorities that the nodes of a zone trust for origin certificates. */
import {
  OriginAuthorities,
  type OriginAuthority,
  originAuthorities,
} from '@breakwater/contract/nodes/origin-authorities.ts'
import { zoneConfiguration } from '@breakwater/contract/nodes/zone-configuration.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { Status } from '../kit/Status.tsx'
import { GroupSettings } from '../pickers/settings/GroupSettings.tsx'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(OriginAuthorities)
const refreshes = [zoneConfiguration.status, zoneConfiguration.history]

export function ZoneOrigins({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  return (
    <>
      <PageHead title={t('origins')} help={t('origins.help')} />
      <GroupSettings
        group={originAuthorities}
        place={{ zoneId }}
        title={t('authorities')}
        help={t('authorities.help')}
        can="zones.write"
        consequence={t('authorities.removeText')}
        refreshes={refreshes}
      >
        {({ authorities }) => (
          <>
            <Authorities list={authorities as OriginAuthority[]} />
            <Field.Block
              name="certificates"
              label={t('authorities.certificates')}
              help={t('authorities.certificatesHelp')}
              placeholder="-----BEGIN CERTIFICATE-----"
            />
          </>
        )}
      </GroupSettings>
    </>
  )
}

/** The saved authorities. */
function Authorities({ list }: { list: OriginAuthority[] }) {
  const t = usePhrases('configuration')
  const format = useFormat()
  if (list.length === 0) return <p className="pb-3 text-ink-3">{t('authorities.empty')}</p>
  return (
    <ul aria-label={t('authorities.list')} className="grid gap-3 pb-3">
      {list.map(({ subject, expired, fingerprint }) => (
        <li key={fingerprint} className="grid gap-1">
          <span className="flex flex-wrap items-center gap-3">
            <span className="break-all font-medium">{subject}</span>
            <Status tone={new Date(expired) > new Date() ? 'ok' : 'bad'}>
              {t('authorities.until', { day: format.day(expired) })}
            </Status>
          </span>
          <code className="mono break-all text-ink-3 text-xs">SHA-256 {fingerprint}</code>
        </li>
      ))}
    </ul>
  )
}
