/**
 * Tests the list or limit in a form against the last 24 hours of a zone before it is saved: how many requests, from
 * whom, and for which sites.
 */
import { type ZoneTrial, zoneTrial } from '@breakwater/contract/nodes/zone-trial.ts'
import { useFormContext } from 'react-hook-form'
import { Button } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { StatRow } from '../kit/StatRow.tsx'
import { useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'

/** `list` tests the addresses of the form, `limit` its number of requests. */
export function TryZone({ zoneId, kind }: { zoneId: number; kind: 'list' | 'limit' }) {
  const t = usePhrases('configuration')
  const tRules = usePhrases('rules')
  const { getValues, trigger } = useFormContext()
  const [list, limit] = [useChange(zoneTrial.list), useChange(zoneTrial.limit)]
  const { data, isPending } = kind === 'list' ? list : limit

  async function tryIt() {
    if (!(await trigger())) return
    const { ips, seconds, times } = getValues()
    if (kind === 'list') list.mutate({ zoneId, body: { ips } }, { onError: showFault })
    else limit.mutate({ zoneId, body: { seconds, times } }, { onError: showFault })
  }
  return (
    <section className="mb-4 border-line border-t pt-4" aria-live="polite">
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={tryIt} busy={isPending}>
          {tRules('try')}
        </Button>
        <p className="min-w-0 flex-1 text-ink-3 text-xs">{t('zoneTrial.help')}</p>
      </div>
      {data && <Outcome found={data} />}
    </section>
  )
}

function Outcome({ found }: { found: ZoneTrial }) {
  const t = usePhrases('configuration')
  const tRules = usePhrases('rules')
  const format = useFormat()
  if (found.requests === 0) return <p className="mt-3 text-ink-2">{tRules('try.none')}</p>
  const { would } = found
  const stats = [
    { key: 'requests', label: tRules('try.requests'), value: format.number(found.requests) },
    { key: 'acts', label: tRules('try.acts'), value: format.number(would.block + would.challenge) },
    { key: 'addresses', label: tRules('try.addresses'), value: format.number(found.addresses) },
    { key: 'sites', label: t('zoneTrial.sites'), value: format.number(found.sites) },
    { key: 'before', label: tRules('try.before'), value: format.number(found.alreadyRefused) },
  ]
  return (
    <div className="mt-3 space-y-3">
      <StatRow stats={stats} />
      {would.challenge > 0 && (
        <p className="text-ink-2">{t('zoneTrial.how', { challenged: would.challenge, blocked: would.block })}</p>
      )}
      {found.oneIn > 1 && <p className="text-ink-3 text-xs">{tRules('try.sampled', { n: found.oneIn })}</p>}
      {found.isPartial && <p className="text-ink-3 text-xs">{tRules('try.partial')}</p>}
      {found.addresses > 0 && (
        <div className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
          <Top title={t('zoneTrial.topAddresses')} names={found.topAddresses} isMono />
          <Top title={t('zoneTrial.topSites')} names={found.topSites} />
        </div>
      )}
    </div>
  )
}

/** How many of each are shown. */
const shownMax = 5

function Top(props: { title: string; names: readonly { name: string; requests: number }[]; isMono?: boolean }) {
  const { title, names, isMono } = props
  const format = useFormat()
  return (
    <div className="min-w-0">
      <p className="mb-1 text-ink-3 text-xs">{title}</p>
      <ul className="num space-y-1">
        {names.slice(0, shownMax).map(({ name, requests }) => (
          <li key={name} className="flex justify-between gap-4">
            <span className={isMono ? 'mono truncate' : 'truncate'}>{name}</span>
            <span className="text-ink-2">{format.number(requests)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
