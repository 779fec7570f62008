/** Which rows are shown of how many, the page size, and the pages. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { type ListSearch, pageSizes, widePageSizes } from '../platform/search-state.ts'
import { IconButton } from './Button.tsx'
import { Select } from './Select.tsx'

type State = Pick<ListSearch, 'page' | 'pageSize'>
type Props = {
  state: State
  go: (patch: Partial<State>) => void
  total: number
  isCapped?: boolean
  /** Whether 200 and 500 rows per page are offered, as everywhere in the vendor's console. */
  isWide?: boolean
}

/** Renders again only when the page changed, not with each selected row. */
export const Pager = memo(function Pager({ state: { page, pageSize }, go, total, isCapped, isWide }: Props) {
  const t = usePhrases('kit')
  const { tier } = usePlaces()
  const sizes = isWide || tier === 'admin' ? widePageSizes : pageSizes
  const last = Math.max(1, Math.ceil(total / pageSize))
  const from = Math.min(total, (page - 1) * pageSize + 1)
  const to = Math.min(total, page * pageSize)
  return (
    <footer className="flex min-h-11 flex-wrap items-center justify-between gap-2 border-line border-t px-3 py-1 text-ink-2">
      <span className="num">{t(isCapped ? 'pager.capped' : 'pager.range', { from, to, total })}</span>
      <span className="flex items-center gap-2">
        <Select
          label={t('pager.size')}
          value={pageSize}
          onChange={(next) => go({ pageSize: next as State['pageSize'], page: 1 })}
          options={[...new Set<number>([...sizes, pageSize])].map((value) => ({
            value,
            label: t('pager.rows', { n: value }),
          }))}
          className="h-[26px] text-xs"
        />
        <IconButton
          size="iconSm"
          look="line"
          label={t('pager.previous')}
          disabled={page <= 1}
          onClick={() => go({ page: page - 1 })}
        >
          <ChevronLeft size={14} aria-hidden />
        </IconButton>
        <span className="num">
          {page} / {last}
        </span>
        <IconButton
          size="iconSm"
          look="line"
          label={t('pager.next')}
          disabled={page >= last}
          onClick={() => go({ page: page + 1 })}
        >
          <ChevronRight size={14} aria-hidden />
        </IconButton>
      </span>
    </footer>
  )
})
