/** The state of an origin as seen by nodes, one line per node, and the recent events of a domain's origins. */
import { domains, type UpstreamSeen } from '@breakwater/contract/domains/domains.ts'
import { Status } from '../kit/Status.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'

const tones = { up: 'ok', resting: 'warn', down: 'bad' } as const

export function OriginStates({ health }: Pick<UpstreamSeen, 'health'>) {
  const t = usePhrases('domains')
  const format = useFormat()
  if (health.length === 0) return null
  return (
    <ul className="basis-full space-y-0.5 text-xs max-sm:order-3">
      {health.map(({ node, state, reason, since }) => (
        <li key={node}>
          <Status tone={tones[state]}>
            {t(`state.${state}`, { node, reason: reason === '' ? '' : t(`reason.${reason}` as 'reason.dns') })}
            {since && <span className="text-ink-2"> {t('state.since', { time: format.moment(since) })}</span>}
          </Status>
        </li>
      ))}
    </ul>
  )
}

const eventsShown = 10

/** The latest events of a domain's origins; renders nothing if there are none. */
export function OriginEvents({ siteId, domainId }: { siteId: number; domainId: number }) {
  const t = usePhrases('domains')
  const format = useFormat()
  const { data } = useCall(
    domains.originEvents,
    { siteId, domainId, query: { page: 1, pageSize: eventsShown } },
    { everyMs: 30_000 },
  )
  if (!data || data.total === 0) return null
  return (
    <details className="mb-3 text-xs">
      <summary className="cursor-pointer text-ink-2">{t('events.title', { n: data.total })}</summary>
      <ul className="mt-1.5 space-y-1">
        {data.data.map(({ id, origin, node, state, reason, createdAt }) => (
          <li key={id} className="flex flex-wrap gap-x-2">
            <span className="num text-ink-2">{format.moment(createdAt)}</span>
            <code className="mono break-all">{origin}</code>
            <Status tone={tones[state]}>
              {t(`state.${state}`, { node, reason: reason === '' ? '' : t(`reason.${reason}` as 'reason.dns') })}
            </Status>
          </li>
        ))}
      </ul>
    </details>
  )
}
