/** What is left before visitors come: settings on the edge, the owner's proof, the DNS. Each looks after itself, and one may leave and come back. */
import { type Domain, domains } from '@breakwater/contract/domains/domains.ts'
import { type ReactNode, useEffect } from 'react'
import { useCall, useChange } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { useMay } from '../app/session.ts'
import { ApplyProgress } from '../kit/ApplyProgress.tsx'
import { showFault } from '../kit/faults.tsx'
import { Panel } from '../kit/Panel.tsx'
import { Status } from '../kit/Status.tsx'
import { usePublishStatus } from './publish-status.ts'

const waitingMs = 5_000
const restingMs = 60_000
/** So many addresses are read; more of them say nothing more. */
const foundMax = 2

type Props = { siteId: number; domain: Domain; aside?: ReactNode }

/** How far a domain's DNS is, asked every five seconds until it leads here. */
export function useDomainDns(siteId: number, domainId: number | undefined) {
  return useCall(
    domains.dns,
    { siteId, domainId: domainId ?? 0 },
    {
      enabled: domainId !== undefined,
      everyMs: (answer) => (answer?.state === 'pointing' ? restingMs : waitingMs),
    },
  ).data
}

export function GoLive({ siteId, domain, aside }: Props) {
  const t = usePhrases('sites')
  const status = usePublishStatus(siteId)
  const dns = useDomainDns(siteId, domain.id)
  const isPending = domain.ownership.state === 'pending'
  useProofWhenFound(siteId, domain, dns?.proof === true)
  return (
    <Panel title={t('golive.title')} aside={aside}>
      <ol className="divide-y divide-line">
        <Item name={t('golive.edge')}>{status && <ApplyProgress progress={status} />}</Item>
        <Item name={t('golive.owner')}>
          {isPending ? (
            <Status tone="info" going>
              {t(dns?.proof ? 'golive.owner.found' : 'golive.owner.waiting')}
            </Status>
          ) : (
            <Status tone="ok">{t('golive.owner.done')}</Status>
          )}
        </Item>
        <Item name={t('golive.dns')}>
          {dns?.state === 'pointing' ? (
            <Status tone="ok">{t('golive.dns.pointing')}</Status>
          ) : dns?.state === 'elsewhere' ? (
            <Status tone="warn" going wraps>
              {t('golive.dns.elsewhere', { found: dns.found.slice(0, foundMax).join(', ') })}
            </Status>
          ) : (
            <Status tone="info" going>
              {t('golive.dns.absent')}
            </Status>
          )}
        </Item>
      </ol>
      <p className="mt-2 text-ink-3 text-xs">{t('golive.text')}</p>
    </Panel>
  )
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
      <span className="font-medium">{name}</span>
      <span role="status" className="min-w-0 break-words">
        {children}
      </span>
    </li>
  )
}

/** The record was seen: the server is told to look and believe it, once. */
function useProofWhenFound(siteId: number, { id, ownership }: Domain, isFound: boolean): void {
  const may = useMay()('domains.write')
  const { mutate } = useChange(domains.prove, domains.list)
  const isDue = isFound && may && ownership.state === 'pending'
  useEffect(() => {
    if (isDue) mutate({ siteId, domainId: id }, { onError: showFault })
  }, [isDue, mutate, siteId, id])
}
