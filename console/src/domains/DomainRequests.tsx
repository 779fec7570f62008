/** Requests in the last 24 hours for the domains on a page, each as a number and a sparkline. */
import type { Domain } from '@breakwater/contract/domains/domains.ts'
import { statistics } from '@breakwater/contract/statistics/statistics.ts'
import { createContext, useContext, useMemo } from 'react'
import { Sparkline } from '../kit/Sparkline.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'

const everyMs = 60_000

/** By domain; empty while loading, or without permission to read statistics. */
export function useDomainHours(rows: readonly Domain[] | undefined) {
  const may = useMay()('statistics.read')
  const domainIDs = (rows ?? []).map(({ id }) => id)
  const enabled = may && domainIDs.length > 0
  const call = useCall(statistics.domainHours, { body: { domainIDs } }, { enabled, everyMs })
  const answer = enabled ? call.data?.data : undefined
  return useMemo(() => new Map(answer?.map((one) => [one.id, one] as const)), [answer])
}

type Hours = ReturnType<typeof useDomainHours> extends Map<number, infer Value> ? Value : never

/** Read by the cells themselves: when the numbers arrive, only these render again. */
export const DomainHours = createContext<ReadonlyMap<number, Hours>>(new Map())

export function DomainRequests({ id }: { id: number }) {
  const hours = useContext(DomainHours).get(id)
  const t = usePhrases('domains')
  const format = useFormat()
  if (!hours) return <span className="text-ink-3">–</span>
  return (
    <span className="inline-flex items-center justify-end gap-2">
      <Sparkline
        values={hours.hours}
        label={t('requests.hour', { list: hours.hours.map((one) => format.number(one)).join(', ') })}
      />
      <span className="num">{format.number(hours.requests)}</span>
    </span>
  )
}
