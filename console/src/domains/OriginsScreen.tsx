/**
 * How nodes talk to the origins of a site: what they present, whom they trust, when they skip an origin, how long they
 * wait.
 */
import { PageHead } from '../kit/PageHead.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { CredentialPanel } from './CredentialPanel.tsx'
import { OriginCertificatePanel } from './OriginCertificatePanel.tsx'
import { OriginHealthPanel } from './OriginHealthPanel.tsx'
import { OriginTlsPanel } from './OriginTlsPanel.tsx'
import { TimeoutsPanel } from './TimeoutsPanel.tsx'

export function OriginsScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('domains')
  return (
    <>
      <PageHead title={t('origins.title')} help={t('origins.help')} />
      <CredentialPanel siteId={siteId} />
      <OriginTlsPanel siteId={siteId} />
      <OriginCertificatePanel siteId={siteId} />
      <OriginHealthPanel siteId={siteId} />
      <TimeoutsPanel siteId={siteId} />
    </>
  )
}
