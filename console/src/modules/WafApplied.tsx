/** When a WAF exception last applied to a request, or that it has been unused for days and may be removed. */
import { type WafApplied as Applied, idleDays, wafSimulation } from '@breakwater/contract/modules/waf-simulation.ts'
import { Badge } from '../kit/Status.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'

/** By exception; empty while loading, or without permission to read the log. */
export function useWafApplied(siteId: number, moduleId: number): ReadonlyMap<number, Applied[number]> {
  const enabled = useMay()('logs.read')
  const { data } = useCall(wafSimulation.applied, { siteId, moduleId }, { enabled })
  return new Map(data?.map((one) => [one.id, one]))
}

export function WafApplied({ applied }: { applied: Applied[number] | undefined }) {
  const t = usePhrases('modules')
  const format = useFormat()
  if (!applied) return null
  const { appliedAt, isIdle } = applied
  if (!isIdle && appliedAt === null) return null
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 text-ink-3 text-xs">
      {isIdle && (
        <>
          <Badge tone="warn">{t('waf.idle', { days: idleDays })}</Badge>
          <span>{t('waf.idleHelp')}</span>
        </>
      )}
      {appliedAt !== null && (
        <span title={format.moment(appliedAt)}>{t('waf.applied', { when: format.ago(appliedAt) })}</span>
      )}
    </p>
  )
}
