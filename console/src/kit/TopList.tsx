/** The most frequent values, with bars; each may be filtered for, out, or made a rule of. */
import type { ReactNode } from 'react'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { Button } from './Button.tsx'
import { cn } from './cn.ts'
import { Panel } from './Panel.tsx'

type Props = {
  title: string
  unit: string
  rows: readonly { name: string; value: number }[] | undefined
  /** How a name is shown; itself where nothing is said. */
  nameOf?: (name: string) => string
  onOnly?: (name: string) => void
  onExclude?: (name: string) => void
  note?: ReactNode
}

export function TopList({ title, unit, rows, nameOf = (name) => name, onOnly, onExclude, note }: Props) {
  const t = usePhrases('kit')
  const format = useFormat()
  const most = Math.max(1, ...(rows ?? []).map(({ value }) => value))
  return (
    <Panel title={title} aside={unit}>
      {rows === undefined && <div className="skeleton appear-late h-40" />}
      {rows?.length === 0 && <p className="py-8 text-center text-ink-3">{t('chart.empty')}</p>}
      <ul>
        {rows?.map(({ name, value }) => (
          <li
            key={name}
            className="group relative flex min-h-7 items-center justify-between gap-3 rounded-[5px] px-2 hover:bg-sunken focus-within:bg-sunken"
          >
            <span
              aria-hidden
              className="absolute inset-y-0.5 left-0 rounded-[4px] bg-accent-bg"
              style={{ width: `${(value / most) * 100}%` }}
            />
            <span className="mono relative min-w-0 truncate" title={name}>
              {nameOf(name) || '–'}
            </span>
            <span
              className={cn(
                'num relative shrink-0',
                (onOnly || onExclude) && 'group-focus-within:invisible group-hover:invisible',
              )}
            >
              {format.compact(value)}
            </span>
            <span className="absolute right-1.5 flex gap-1 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100">
              {onOnly && (
                <Button size="sm" className="h-[22px]" onClick={() => onOnly(name)}>
                  {t('filter.only')}
                </Button>
              )}
              {onExclude && (
                <Button size="sm" className="h-[22px]" onClick={() => onExclude(name)}>
                  {t('filter.exclude')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {note && <p className="mt-2 text-ink-3 text-xs">{note}</p>}
    </Panel>
  )
}
