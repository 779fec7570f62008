/** How many requests a rule matched, as a number and a sparkline; both link to the log of those requests. */
import { Link } from '@tanstack/react-router'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import type { RuleHits } from './rule-row.ts'
import { Sparkline } from './Sparkline.tsx'

type Props = {
  /** Undefined while unknown. */
  hits: RuleHits | undefined
  /** The search parameters that list the requests. */
  at: object | undefined
}

export function RuleHitsCell({ hits, at }: Props) {
  const t = usePhrases('rules')
  const format = useFormat()
  if (!hits) return <span title={t('hits.help')}>–</span>
  const list = hits.hours.map((one) => format.number(one)).join(', ')
  const number = format.compact(hits.requests)
  const shown = (
    <span className="inline-flex items-center justify-end gap-2">
      <span className="max-sm:hidden">
        <Sparkline values={hits.hours} label={t('hits.hours', { list })} />
      </span>
      <span className="num" title={t('hits.help')}>
        {number}
      </span>
    </span>
  )
  if (!at || hits.requests === 0) return shown
  return (
    <Link
      to="."
      search={at as never}
      aria-label={t('hits.log', { hits: number })}
      className="underline-offset-4 hover:text-accent hover:underline"
    >
      {shown}
    </Link>
  )
}
