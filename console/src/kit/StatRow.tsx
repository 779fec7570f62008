/** The few numbers that a page begins with. */
import type { ReactNode } from 'react'

export type Stat = { key: string; label: string; value: ReactNode; hint?: ReactNode }

export function StatRow({ stats }: { stats: readonly Stat[] }) {
  return (
    <dl className="num flex flex-wrap overflow-hidden rounded-panel border border-line bg-surface">
      {stats.map(({ key, label, value, hint }) => (
        <div key={key} className="-mb-px -ml-px min-w-[150px] flex-1 border-line border-b border-l px-4 py-3">
          <dt className="text-ink-3 text-xs">{label}</dt>
          <dd className="font-semibold text-[22px] leading-[30px] tracking-[-0.02em]">{value}</dd>
          {hint && <dd className="text-ink-3 text-xs">{hint}</dd>}
        </div>
      ))}
    </dl>
  )
}
