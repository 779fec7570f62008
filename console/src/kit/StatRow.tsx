/** The key figures at the top of a page, each with its change. */
import type { ReactNode } from 'react'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { cn } from './cn.ts'

/** `isGood` says which direction is better; without it the change has no colour. */
export type Change = { now: number; before: number; isGood?: 'more' | 'less'; isShare?: boolean }
export type Stat = { key: string; label: string; value: ReactNode; hint?: ReactNode; change?: Change | undefined }

export function StatRow({ stats }: { stats: readonly Stat[] }) {
  return (
    <dl className="num flex flex-wrap overflow-hidden rounded-panel border border-line bg-surface">
      {stats.map(({ key, label, value, hint, change }) => (
        <div key={key} className="-mb-px -ml-px min-w-[150px] flex-1 border-line border-b border-l px-4 py-3">
          <dt className="text-ink-3 text-xs">{label}</dt>
          <dd className="font-semibold text-[22px] leading-[30px] tracking-[-0.02em]">{value}</dd>
          {(hint || change) && (
            <dd className="flex flex-wrap gap-x-2 text-ink-3 text-xs">
              {change && <Delta {...change} />}
              {hint}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

/** Shares change by percentage points, everything else by a percentage. A value that was 0 has no percentage. */
function Delta({ now, before, isGood, isShare = false }: Change) {
  const t = usePhrases('kit')
  const format = useFormat()
  const by = isShare ? now - before : before === 0 ? undefined : now / before - 1
  if (by === undefined) return <span>{t(now === 0 ? 'stat.same' : 'stat.fresh')}</span>
  const better = isGood && Math.abs(by) >= 0.0005 ? by > 0 === (isGood === 'more') : undefined
  return (
    <span className={cn(better === true && 'text-ok', better === false && 'text-bad')}>
      {isShare ? t('stat.points', { change: format.signed(by * 100) }) : format.change(by)}
    </span>
  )
}
