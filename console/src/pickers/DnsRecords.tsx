/**
 * The DNS records that a site's domains need, as one table to copy. Each record is checked on its own, and proves its
 * domain.
 */
import { type DnsCheck, type Domain, domains } from '@breakwater/contract/domains/domains.ts'
import type { SiteDetail } from '@breakwater/contract/sites/sites.ts'
import { type ReactNode, useEffect } from 'react'
import { CopyButton, CopyText } from '../kit/CopyText.tsx'
import { showFault } from '../kit/faults.tsx'
import { Status } from '../kit/Status.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'

const waitingMs = 5_000
const restingMs = 60_000
/** How many of the current addresses are listed; more would add nothing. */
const foundMax = 2
/** How many domains are followed at once: others take their place as these are done. */
const shownMax = 10

type Line = { domain: string; type: string; name: string; value: string }

/** The records that a domain needs: where to point it and, until its ownership is proven, the proof. */
function linesOf({ preview }: SiteDetail, { name, ownership }: Domain): Line[] {
  // If the operator has no DNS zone, there is no name to point at, only the nodes' addresses.
  const targets = preview.cname
    ? [{ type: 'CNAME', value: preview.cname }]
    : preview.addresses.map((value) => ({ type: value.includes(':') ? 'AAAA' : 'A', value }))
  const proof = { type: 'TXT', name: ownership.recordName, value: ownership.recordValue }
  const leading = targets.map((target) => ({ ...target, name }))
  return [...leading, ...(ownership.state === 'pending' ? [proof] : [])].map((line) => ({ ...line, domain: name }))
}

/** The state of a domain's DNS, polled every five seconds until it points here. */
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

type Props = { site: SiteDetail; all: readonly Domain[] }

export function DnsRecords({ site, all }: Props) {
  const t = usePhrases('sites')
  // Pending ones come first: a proven domain may still have to be pointed here.
  const ordered = [...all].sort((one, other) => waits(other) - waits(one)).slice(0, shownMax)
  const text = ordered
    .flatMap((domain) => linesOf(site, domain))
    .map(({ type, name, value }) => `${name}\t${type}\t${value}`)
    .join('\n')
  return (
    <div className="overflow-x-auto">
      <table className="cards w-full text-left">
        <thead>
          <tr className="h-8 border-line border-b text-ink-3 text-xs">
            {(['records.type', 'records.name', 'records.value', 'records.state'] as const).map((key) => (
              <th key={key} scope="col" className="pr-3 font-medium">
                {t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.map((domain) => (
            <DomainLines key={domain.id} site={site} domain={domain} />
          ))}
        </tbody>
      </table>
      <p className="mt-2 flex flex-wrap items-center gap-x-3 text-ink-3 text-xs">
        <span>
          {t('records.copyAll')} <CopyButton text={text} label={t('records.copyAll')} />
        </span>
        {all.length > ordered.length && <span>{t('records.more', { n: all.length - ordered.length })}</span>}
      </p>
      {!site.preview.cname && site.preview.addressesArePrivate && <p className="mt-1 text-warn">{t('dns.private')}</p>}
    </div>
  )
}

const waits = ({ ownership }: Domain): number => (ownership.state === 'pending' ? 1 : 0)

function DomainLines({ site, domain }: { site: SiteDetail; domain: Domain }) {
  const dns = useDomainDns(site.siteID, domain.id)
  useProofWhenFound(site.siteID, domain, dns?.proof === true)
  return linesOf(site, domain).map((line) => (
    <tr key={`${line.type} ${line.value}`} className="border-line border-b align-top last:border-b-0">
      <Cell column="type" isLead className="py-2">
        {line.type}
      </Cell>
      <Cell column="name" className="py-1 sm:w-[38%] sm:max-w-0">
        <CopyText text={line.name} />
      </Cell>
      <Cell column="value" className="py-1 sm:w-[38%] sm:max-w-0">
        <CopyText text={line.value} />
      </Cell>
      <Cell column="state" className="py-2 sm:whitespace-nowrap">
        <span role="status">
          <LineState type={line.type} dns={dns} />
        </span>
      </Cell>
    </tr>
  ))
}

type CellProps = {
  column: 'type' | 'name' | 'value' | 'state'
  isLead?: boolean
  className: string
  children: ReactNode
}

function Cell({ column, isLead, className, children }: CellProps) {
  const t = usePhrases('sites')
  return (
    <td data-label={t(`records.${column}`)} data-lead={isLead || undefined} className={`pr-3 ${className}`}>
      {children}
    </td>
  )
}

function LineState({ type, dns }: { type: string; dns: DnsCheck | undefined }) {
  const t = usePhrases('sites')
  if (!dns) return null
  if (type === 'TXT')
    return (
      <Status tone={dns.proof ? 'ok' : 'info'} going={!dns.proof}>
        {t(dns.proof ? 'golive.owner.found' : 'golive.owner.waiting')}
      </Status>
    )
  if (dns.state === 'pointing') return <Status tone="ok">{t('golive.dns.pointing')}</Status>
  if (dns.state === 'absent')
    return (
      <Status tone="info" going>
        {t('golive.dns.absent')}
      </Status>
    )
  return (
    <Status tone="warn" going wraps>
      {t('golive.dns.elsewhere', { found: dns.found.slice(0, foundMax).join(', ') })}
    </Status>
  )
}

/** Once the record is found, asks the server to verify it, a single time. */
function useProofWhenFound(siteId: number, { id, ownership }: Domain, isFound: boolean): void {
  const may = useMay()('domains.write')
  const { mutate } = useChange(domains.prove, domains.list)
  const isDue = isFound && may && ownership.state === 'pending'
  useEffect(() => {
    if (isDue) mutate({ siteId, domainId: id }, { onError: showFault })
  }, [isDue, mutate, siteId, id])
}
