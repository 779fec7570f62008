/**
 * The record that proves a domain to certificate authorities over DNS, if the domain does not prove itself by pointing
 * here.
 */
import type { domains } from '@breakwater/contract/domains/domains.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { CopyText } from '../kit/CopyText.tsx'
import { Fact, Facts } from '../kit/Panel.tsx'
import { usePhrases } from '../platform/phrases.ts'

/** The order errors that the record can fix. */
const helped: readonly string[] = ['noAddress', 'notPointing', 'notDelegated']

export function ChallengeRecord({ settings }: { settings: Reply<typeof domains.settings> }) {
  const t = usePhrases('certificates')
  const { name, autoSSL, certificate, challengeRecord } = settings
  const isWildcard = name.startsWith('*.')
  if (!challengeRecord) return isWildcard ? <p className="mb-3 text-ink-2">{t('order.noDnsProvider')}</p> : null
  if (!isWildcard && !(autoSSL && helped.includes(certificate?.detail ?? ''))) return null
  return (
    <>
      <p className="mb-2 text-ink-2">{t(isWildcard ? 'challenge.wildcard' : 'challenge.early')}</p>
      <Facts className="mb-3">
        <Fact name={t('challenge')}>CNAME</Fact>
        <Fact name={t('challenge.name')}>
          <CopyText text={challengeRecord.name} />
        </Fact>
        <Fact name={t('challenge.value')}>
          <CopyText text={challengeRecord.value} />
        </Fact>
      </Facts>
    </>
  )
}
