/**
 * The rows of the log, without an end: only visible ones are in the DOM, and the next page is fetched on approaching
 * the end.
 */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Button } from '../kit/Button.tsx'
import { cn } from '../kit/cn.ts'
import { Empty } from '../kit/Empty.tsx'
import { Failed } from '../kit/faults.tsx'
import { isPlainClick } from '../kit/plain-click.ts'
import type { Column } from '../kit/ResourceTable.tsx'
import { ScrollRegion } from '../kit/ScrollRegion.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { CellFilter } from './CellFilter.tsx'
import type { Asked } from './explorer-state.ts'
import type { OnFilter } from './RowFacts.tsx'
import { useLogRows } from './use-log-rows.ts'

const rowHeight = 32
/** The number of rows before the end at which the next page is fetched. */
const nearEnd = 40

type Props = {
  asked: Asked
  columns: readonly Column<AccessLogRow>[]
  openId: string | undefined
  onOpen: (row: AccessLogRow) => void
  onWiden: () => void
  onFilter: OnFilter
}

export function RowTable({ asked, columns, openId, onOpen, onWiden, onFilter }: Props) {
  const t = usePhrases('logs')
  const box = useRef<HTMLElement>(null)
  const { query, rows = [] } = useLogRows(asked)
  const { hasNextPage, isFetchingNextPage, fetchNextPage, isError } = query
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => rows[index]!.id,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError && last >= rows.length - nearEnd) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isError, last, rows.length, fetchNextPage])

  function move(event: KeyboardEvent<HTMLTableSectionElement>) {
    const row = event.target as HTMLElement
    const index = Number(row.dataset.index)
    if (row.tagName !== 'TR') return
    const next = { ArrowDown: index + 1, j: index + 1, ArrowUp: index - 1, k: index - 1 }[event.key]
    if (event.key === 'Enter' && rows[index]) {
      event.preventDefault()
      return onOpen(rows[index])
    }
    if (next === undefined || !rows[next]) return
    event.preventDefault()
    virtual.scrollToIndex(next)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`tr[data-index="${next}"]`)?.focus())
  }

  if (isError && rows.length === 0)
    return (
      <div className="rounded-panel border border-line bg-surface">
        <Failed fault={query.error} retry={() => query.refetch()} />
      </div>
    )
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <div className="overflow-hidden rounded-panel border border-line bg-surface">
      {/* biome-ignore format: one line of classes */}
      <ScrollRegion ref={box} label={t('search.rows')} className="relative h-[calc(100dvh-360px)] min-h-[420px]">
        <table className="w-full text-left" aria-rowcount={hasNextPage ? -1 : rows.length + 1}>
          <thead className="sticky top-0 z-1 bg-surface">
            <tr className="h-[34px] border-line border-b">
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={cn(
                    'whitespace-nowrap px-2.5 font-medium text-ink-3 text-xs first:pl-4 last:pr-4',
                    column.end && 'text-right',
                  )}
                >
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody onKeyDown={move}>
            {above > 0 && <Gap height={above} columns={columns.length} />}
            {items.map(({ index, key }) => {
              const row = rows[index]!
              return (
                <tr
                  key={key}
                  data-index={index}
                  aria-rowindex={index + 2}
                  tabIndex={-1}
                  onClick={(event) => isPlainClick(event) && onOpen(row)}
                  style={{ height: rowHeight }}
                  className={cn(
                    'cursor-pointer border-line border-b focus-visible:-outline-offset-2',
                    row.id === openId ? 'bg-accent-bg' : 'hover:bg-sunken',
                  )}
                >
                  {columns.map((column) => (
                    <td
                      key={column.key}
                      className={cn(
                        'whitespace-nowrap px-2.5 first:pl-4 last:pr-4',
                        column.end && 'num text-right',
                        column.grows && 'sm:w-full',
                      )}
                    >
                      {column.render(row)}
                    </td>
                  ))}
                </tr>
              )
            })}
            {below > 0 && <Gap height={below} columns={columns.length} />}
          </tbody>
        </table>
        <CellFilter box={box} rows={rows} columns={columns} onFilter={onFilter} />
        {query.isPending && <div className="skeleton appear-late m-4 h-40" />}
        {query.isSuccess && rows.length === 0 && (
          <div className="px-4 py-14 text-center text-ink-3">
            <Empty title={t('search.empty')} action={<Button onClick={onWiden}>{t('search.widen')}</Button>}>
              {t('search.emptyText')}
            </Empty>
          </div>
        )}
      </ScrollRegion>
      <p
        role="status"
        className="num flex min-h-8 flex-wrap items-center gap-3 border-line border-t px-4 text-ink-3 text-xs"
      >
        {t('search.loaded', { n: rows.length })}
        {isFetchingNextPage && <span>{t('search.loading')}</span>}
        {!hasNextPage && rows.length > 0 && <span>{t('search.end')}</span>}
        {isError && (
          <Button size="sm" look="ghost" onClick={() => void fetchNextPage()}>
            {t('search.again')}
          </Button>
        )}
      </p>
    </div>
  )
}

/** Stands in for the rows outside the viewport. */
function Gap({ height, columns }: { height: number; columns: number }) {
  return (
    <tr aria-hidden style={{ height }}>
      <td colSpan={columns} />
    </tr>
  )
}
