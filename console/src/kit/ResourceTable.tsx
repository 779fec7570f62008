/** A list as the server pages it: first load, failure, emptiness, rows, selection, keys, pages. */
import type { UseQueryResult } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import type { Fault } from '../app/fault.ts'
import { usePhrases } from '../app/phrases.ts'
import type { ListSearch } from '../app/search-state.ts'
import { cn } from './cn.ts'
import { Failed } from './faults.tsx'
import { Pager } from './Pager.tsx'
import { ScrollRegion } from './ScrollRegion.tsx'
import { Checkbox } from './Toggle.tsx'

export type Column<Row> = {
  key: string
  title: string
  render: (row: Row) => ReactNode
  /** Numbers stand at the end. */
  end?: boolean
  sort?: boolean
}

type Page<Row> = { data: Row[]; total: number }
type ListState = Pick<ListSearch, 'page' | 'pageSize' | 'orderBy' | 'sortBy'>

type Props<Row> = {
  /** What the list is, for those who hear it. */
  label: string
  call: UseQueryResult<Page<Row>, Fault>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => number | string
  rowLabel: (row: Row) => string
  empty: ReactNode
  /** Without it the list has one page. */
  state?: ListState
  go?: (patch: Partial<ListState>) => void
  onOpen?: (row: Row) => void
  /** The total is only as far as was counted. */
  isCapped?: boolean
  /** Actions on the chosen rows; without it rows cannot be chosen. */
  bulk?: (rows: Row[], clear: () => void) => ReactNode
}

export function ResourceTable<Row>(props: Props<Row>) {
  const { call, columns, rowKey, rowLabel, state, go, onOpen, bulk } = props
  const t = usePhrases('kit')
  const [chosen, setChosen] = useState<ReadonlySet<number | string>>(new Set())
  const body = useRef<HTMLTableSectionElement>(null)
  const rows = call.data?.data
  const chosenRows = rows?.filter((row) => chosen.has(rowKey(row))) ?? []
  const clear = () => setChosen(new Set())
  const flip = (row: Row) => {
    const next = new Set(chosen)
    if (!next.delete(rowKey(row))) next.add(rowKey(row))
    setChosen(next)
  }

  function move(event: KeyboardEvent<HTMLTableSectionElement>) {
    const row = event.target as HTMLElement
    if (row.tagName !== 'TR') return
    const index = [...body.current!.rows].indexOf(row as HTMLTableRowElement)
    const next = { ArrowDown: index + 1, j: index + 1, ArrowUp: index - 1, k: index - 1 }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      body.current!.rows[next]?.focus()
    } else if (event.key === 'x' && bulk && rows?.[index]) flip(rows[index])
    else if (event.key === 'Enter' && onOpen && rows?.[index]) onOpen(rows[index])
    else if (event.key === 'Escape') clear()
  }

  if (call.isError && !rows)
    return (
      <TableFrame>
        <Failed fault={call.error} retry={() => call.refetch()} />
      </TableFrame>
    )
  return (
    <TableFrame busy={call.isPlaceholderData}>
      {chosenRows.length > 0 && bulk && (
        <div className="flex min-h-[42px] flex-wrap items-center gap-2 border-line border-b bg-accent-bg px-3 py-1.5">
          <b className="num mr-2">{t('selected', { n: chosenRows.length })}</b>
          {bulk(chosenRows, clear)}
        </div>
      )}
      <ScrollRegion label={props.label}>
        <table className="cards w-full text-left">
          <thead>
            <tr className="h-[34px] border-line border-b">
              {bulk && (
                <th scope="col" className="w-9 pl-3">
                  <Checkbox
                    aria-label={t('selectAll')}
                    checked={chosenRows.length > 0 && chosenRows.length === rows?.length}
                    indeterminate={chosenRows.length > 0 && chosenRows.length < (rows?.length ?? 0)}
                    onCheckedChange={(on) => setChosen(new Set(on ? rows?.map(rowKey) : []))}
                  />
                </th>
              )}
              {columns.map((column) => (
                <HeaderCell key={column.key} column={column} state={state} go={go} />
              ))}
            </tr>
          </thead>
          <tbody ref={body} onKeyDown={move}>
            {rows ? (
              rows.map((row) => {
                const isChosen = chosen.has(rowKey(row))
                return (
                  <tr
                    key={rowKey(row)}
                    tabIndex={-1}
                    className={cn(
                      'h-[38px] border-line border-b last:border-b-0 hover:bg-sunken focus-visible:-outline-offset-2',
                      isChosen && 'bg-accent-bg hover:bg-accent-bg',
                    )}
                  >
                    {bulk && (
                      <td className="w-9 pl-3" data-label="">
                        <Checkbox
                          aria-label={t('selectRow', { name: rowLabel(row) })}
                          checked={isChosen}
                          onCheckedChange={() => flip(row)}
                        />
                      </td>
                    )}
                    {columns.map((column, index) => (
                      <td
                        key={column.key}
                        data-label={column.title}
                        data-lead={index === 0 || undefined}
                        className={cn(
                          'px-2.5 first:pl-4 last:pr-4 sm:whitespace-nowrap',
                          column.end && 'num text-right',
                        )}
                      >
                        {column.render(row)}
                      </td>
                    ))}
                  </tr>
                )
              })
            ) : (
              <SkeletonRows columns={columns.length + (bulk ? 1 : 0)} />
            )}
          </tbody>
        </table>
      </ScrollRegion>
      {rows?.length === 0 && <div className="px-4 py-14 text-center text-ink-3">{props.empty}</div>}
      {state && go && rows && rows.length > 0 && (
        <Pager state={state} go={go} total={call.data?.total ?? 0} isCapped={props.isCapped === true} />
      )}
    </TableFrame>
  )
}

function TableFrame({ busy, children }: { busy?: boolean; children: ReactNode }) {
  return (
    <div aria-busy={busy || undefined} className="relative overflow-hidden rounded-panel border border-line bg-surface">
      {busy && <div className="skeleton appear-late absolute inset-x-0 top-0 z-1 h-0.5 bg-accent" />}
      {children}
    </div>
  )
}

function HeaderCell<Row>({
  column,
  state,
  go,
}: {
  column: Column<Row>
  state: ListState | undefined
  go: Props<Row>['go']
}) {
  const t = usePhrases('kit')
  const isSorted = state?.sortBy === column.key
  const isUp = state?.orderBy === 'asc'
  const Arrow = isSorted ? (isUp ? ArrowUp : ArrowDown) : ChevronsUpDown
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}
      className={cn(
        'px-2.5 font-medium text-ink-3 text-xs whitespace-nowrap first:pl-4 last:pr-4',
        column.end && 'text-right',
      )}
    >
      {column.sort && go ? (
        <button
          type="button"
          className={cn('inline-flex items-center gap-1 hover:text-ink', isSorted && 'text-ink')}
          onClick={() => go({ sortBy: column.key, orderBy: isSorted && !isUp ? 'asc' : 'desc', page: 1 })}
        >
          {column.title}
          <Arrow size={12} aria-hidden />
        </button>
      ) : (
        column.title || <span className="sr-only">{t('actions')}</span>
      )}
    </th>
  )
}

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: 6 }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <tr key={index} aria-hidden className="appear-late h-[38px] border-line border-b last:border-b-0">
      <td colSpan={columns} className="px-4">
        <div className="skeleton h-3" style={{ width: `${90 - ((index * 17) % 40)}%` }} />
      </td>
    </tr>
  ))
}
