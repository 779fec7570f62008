/**
 * The remaining steps before visitors arrive: the settings on the edge, and the DNS records. It updates itself, and the
 * user may leave and return.
 */
import type { Domain } from '@breakwater/contract/domains/domains.ts'
import type { SiteDetail } from '@breakwater/contract/sites/sites.ts'
import type { ReactNode } from 'react'
import { ApplyProgress } from '../kit/ApplyProgress.tsx'
import { Panel } from '../kit/Panel.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { DnsRecords } from './DnsRecords.tsx'
import { usePublishStatus } from './publish-status.ts'

type Props = { site: SiteDetail; all: readonly Domain[]; aside?: ReactNode }

export function GoLive({ site, all, aside }: Props) {
  const t = usePhrases('sites')
  const status = usePublishStatus(site.siteID)
  return (
    <Panel title={t('golive.title')} aside={aside}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-2">
        <span className="font-medium">{t('golive.edge')}</span>
        {status && <ApplyProgress progress={status} />}
      </div>
      <p className="mb-1 text-ink-2">{t('dns.text')}</p>
      <DnsRecords site={site} all={all} />
      <p className="mt-2 text-ink-3 text-xs">{t('golive.text')}</p>
    </Panel>
  )
}
