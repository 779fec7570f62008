/** What needs attention, each with a link to where it is handled. */
import { type Attention, dashboards } from '@breakwater/contract/dashboard/dashboard.ts'
import { Failed } from '../kit/faults.tsx'
import { Link } from '../kit/Link.tsx'
import { Panel } from '../kit/Panel.tsx'
import { Status, type Tone } from '../kit/Status.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { type Places, usePlaces } from '../platform/places.ts'

const everyMs = 15_000
const tones: Record<Attention['kind'], Tone> = {
  nodeAway: 'bad',
  siteRefused: 'bad',
  siteUnderAttack: 'bad',
  siteNotLive: 'warn',
  domainPending: 'warn',
  certificateEnding: 'warn',
  certificateEnded: 'bad',
  certificateFailed: 'bad',
  siteExpiring: 'warn',
  siteExpired: 'bad',
  ruleSetUpdate: 'warn',
}

export function AttentionList({ className }: { className?: string }) {
  const t = usePhrases('statistics')
  const format = useFormat()
  const call = useCall(dashboards.attention, {}, { everyMs })
  const list = call.data?.data
  const total = list?.reduce((sum, { count }) => sum + count, 0) ?? 0
  return (
    <Panel
      title={t('attention')}
      {...(className ? { className } : {})}
      aside={list && list.length > 0 && <span className="num text-xs">{format.number(total)}</span>}
    >
      {call.isError && !list && <Failed fault={call.error} retry={() => call.refetch()} />}
      {list?.length === 0 && (
        <p className="py-1">
          <Status tone="ok">{t('attention.none')}</Status>
        </p>
      )}
      <ul className="max-h-[270px] divide-y divide-line overflow-y-auto">
        {list?.map((one) => (
          <Row key={`${one.kind}-${one.siteID}-${one.nodeID}-${one.name}`} one={one} />
        ))}
      </ul>
    </Panel>
  )
}

const tabOf = (kind: Attention['kind']) =>
  kind === 'siteUnderAttack' ? 'siteMode' : isOfDomain(kind) ? 'domains' : 'overview'
const isOfDomain = (kind: Attention['kind']) => kind === 'domainPending' || kind.startsWith('certificate')

/** The page where it is handled. */
function placeOf({ kind, siteID, siteName, zone }: Attention, places: Places) {
  if (siteID !== null) return { to: places.site(siteID, siteName), search: { tab: tabOf(kind) } }
  return zone ? { to: places.zone(zone.id, zone.name), search: { tab: 'waf' } } : { to: places.nodes }
}

function Row({ one }: { one: Attention }) {
  const { kind, name, siteName, since, detail, count } = one
  const t = usePhrases('statistics')
  const format = useFormat()
  const places = usePlaces()
  return (
    // On a phone: the name and since when in the first line, what it is and whose below.
    <li className="min-h-9 items-center gap-x-3 gap-y-0.5 py-1.5 max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:flex">
      <span className="max-sm:order-3">
        <Status tone={tones[kind]}>
          {kind === 'domainPending' ? t('attention.domainsPending', { n: count }) : t(`attention.${kind}`)}
        </Status>
      </span>
      <Link {...placeOf(one, places)} className="min-w-0 truncate font-medium max-sm:col-span-2">
        {count > 1 ? siteName : name}
      </Link>
      {isOfDomain(kind) && count === 1 && (
        <span className="min-w-16 shrink-[99999] truncate text-ink-3 max-sm:order-4 max-sm:col-span-2 max-sm:text-right">
          {siteName}
        </span>
      )}
      {detail && <span className="min-w-0 truncate text-ink-3 max-sm:order-4 max-sm:col-span-3">{detail}</span>}
      {since && (
        <time dateTime={since} className="ml-auto shrink-0 text-ink-3 text-xs">
          {format.ago(since)}
        </time>
      )}
    </li>
  )
}
