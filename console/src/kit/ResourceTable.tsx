/**
 * A list with server-side paging: first load, failure, empty state, rows, selection, keyboard, pages, and the person's
 * own look.
 */
import type { UseQueryResult } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Fault } from '../platform/fault.ts'
import { rowHeights, useListLook, visible } from '../platform/list-look.ts'
import { usePhrases } from '../platform/phrases.ts'
import { Button } from './Button.tsx'
import { type RunBatches, useBatches } from './batches.ts'
import { cn } from './cn.ts'
import { Empty } from './Empty.tsx'
import { Failed } from './faults.tsx'
import { later } from './later.tsx'
import { Pager } from './Pager.tsx'
import { ScrollRegion } from './ScrollRegion.tsx'
import { TableHead } from './TableHead.tsx'
import { SkeletonRows, TableRow } from './TableRow.tsx'
import { TableTools } from './TableTools.tsx'
import { Checkbox } from './Toggle.tsx'
import type { Column, Go, ListState } from './table-column.ts'
import { type ReadPage, useSelection } from './useSelection.ts'

export type { Column } from './table-column.ts'

const BulkBar = later(() => import('./BulkBar.tsx').then((file) => file.BulkBar))

type Props<Row> = {
  /** The name of the list for screen readers. */
  label: string
  /** The key under which its look is stored; without it the look cannot be changed. */
  list?: string
  call: UseQueryResult<{ data: Row[]; total: number }, Fault>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => number | string
  rowLabel: (row: Row) => string
  /** Shown if there is nothing yet, with the first step. */
  empty: ReactNode
  /** Set while filters are active: clears them if nothing matches. */
  clearFilters?: (() => void) | undefined
  /** Without it, the list has a single page. */
  state?: ListState
  go?: Go
  onOpen?: (row: Row) => void
  /** The total is only a lower bound: counting stopped there. */
  isCapped?: boolean
  /** Whether 200 and 500 rows per page are offered. */
  isWide?: boolean
  /**
   * Actions on the selected rows; without it, rows cannot be selected. `run` executes them in batches and shows the
   * progress.
   */
  bulk?: ((rows: Row[], clear: () => void, run: RunBatches<Row>) => ReactNode) | undefined
  /** Fetches a page of all matching rows, so that all of them can be selected. Only for actions that use `run`. */
  readPage?: ReadPage<Row> | undefined
}

/**
 * Rows are there at once: keys that follow act on what the person sees. A change of the screen around the same rows, such
 * as a drawer that opens, is shown first, and the list follows: it need not render again before the screen responds.
 */
export function ResourceTable<Row>(props: Props<Row>) {
  const before = useDeferredValue(props)
  return <Table of={before.call.data === props.call.data ? before : props} />
}

function DrawTable<Row>({ of: props }: { of: Props<Row> }) {
  const { call, rowKey, rowLabel, state, go, onOpen, bulk, readPage } = props
  const t = usePhrases('kit')
  const [look, keep] = useListLook(props.list ?? '')
  const columns = useMemo(() => visible(props.columns, look), [props.columns, look])
  const [stop, setStop] = useState(0)
  const body = useRef<HTMLTableSectionElement>(null)
  const rows = call.data?.data
  const total = call.data?.total ?? 0
  const { edit: _, ...question } = { edit: undefined, ...state }
  const selection = useSelection(rows, rowKey, JSON.stringify(question))
  // The rows show the choice first, then its actions appear.
  const acted = useDeferredValue(selection.rows)
  const [progress, run] = useBatches(rowLabel)
  const lastPage = state ? Math.max(1, Math.ceil(total / state.pageSize)) : 1
  const isBeyond = rows?.length === 0 && !call.isPlaceholderData && state !== undefined && state.page > lastPage
  useEffect(() => {
    if (isBeyond) go?.({ page: lastPage })
  }, [isBeyond, lastPage, go])

  // A stable callback, so that rows do not render again when a screen passes a new function.
  const latest = useRef(onOpen)
  latest.current = onOpen
  const openRow = useCallback((row: Row) => latest.current?.(row), [])

  function press(event: KeyboardEvent<HTMLTableSectionElement>) {
    const target = event.target as HTMLElement
    if (
      target.matches('input:not([type=checkbox]), textarea, [contenteditable]') ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return
    const index = [...body.current!.rows].indexOf(target.closest('tr')!)
    const row = rows?.[index]
    const isRow = target.tagName === 'TR'
    const next = { j: index + 1, k: index - 1, ...(isRow ? { ArrowDown: index + 1, ArrowUp: index - 1 } : {}) }[
      event.key
    ]
    if (next !== undefined) {
      event.preventDefault()
      if (!body.current!.rows[next]) return
      setStop(next)
      body.current!.rows[next].focus()
    } else if (event.key === 'x' && bulk && row) selection.flip(row)
    else if (event.key === 'Enter' && isRow && onOpen && row) {
      // What opens takes the focus at once: the same key press must not submit its form.
      event.preventDefault()
      onOpen(row)
    } else if (event.key === 'Escape') selection.clear()
  }

  if (call.isError && !rows)
    return (
      <TableFrame>
        {call.error.reason === 'permissionDenied' ? (
          <Nothing>
            <Empty title={t('noPermission')} />
          </Nothing>
        ) : (
          <Failed fault={call.error} retry={() => call.refetch()} />
        )}
      </TableFrame>
    )
  const chosen = selection.rows
  const ofPage = rows?.filter(selection.has).length ?? 0
  const choice = bulk && {
    all: ofPage > 0 && ofPage === rows?.length,
    some: chosen.length > 0,
    // Nothing can be selected before the rows are there: the press would be lost.
    isEmpty: !rows?.length,
    flip: selection.flipPage,
  }
  const hasTools = props.list !== undefined && rows !== undefined && rows.length > 0
  return (
    <TableFrame busy={call.isPlaceholderData}>
      <div className="relative">
        {hasTools && (
          <div
            className={cn(
              'flex items-center gap-2.5 sm:absolute sm:top-0 sm:right-0 sm:z-2 sm:h-[33px] sm:border-b-0 sm:bg-surface sm:px-1.5 sm:py-0',
              // On a phone it sits in the corner of the first card, unless "select all" stands beside it.
              choice ? 'border-line border-b px-3 py-1' : 'absolute top-1 right-1 z-2',
            )}
          >
            {choice && (
              // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is within
              <label className="flex min-h-9 items-center gap-2 text-ink-2 sm:hidden">
                <Checkbox
                  checked={choice.all}
                  indeterminate={choice.some && !choice.all}
                  disabled={choice.isEmpty}
                  onCheckedChange={choice.flip}
                />
                {t('selectAll')}
              </label>
            )}
            <span className="ml-auto">
              <TableTools columns={props.columns} look={look} keep={keep} state={state} go={go} />
            </span>
          </div>
        )}
        <ScrollRegion label={props.label} className={cn(state && 'sm:max-h-[max(420px,calc(100dvh-264px))]')}>
          <table className="cards w-full text-left">
            <TableHead columns={columns} state={state} go={go} hasTools={hasTools} choice={choice} />
            <tbody ref={body} onKeyDown={press} onFocus={(event) => setStop(rowIndexOf(event.target))}>
              {rows ? (
                rows.map((row, index) => (
                  <TableRow
                    key={rowKey(row)}
                    row={row}
                    columns={columns}
                    label={rowLabel(row)}
                    isChosen={selection.has(row)}
                    isStop={index === Math.min(stop, rows.length - 1)}
                    height={rowHeights[look.density]}
                    flip={bulk && selection.flip}
                    onOpen={onOpen && openRow}
                  />
                ))
              ) : (
                <SkeletonRows columns={columns.length + (bulk ? 1 : 0)} />
              )}
            </tbody>
          </table>
        </ScrollRegion>
      </div>
      {bulk && acted.length > 0 && (
        <BulkBar
          chosen={acted.length}
          matching={readPage && choice?.all && acted.length < total ? total : undefined}
          reading={selection.reading}
          progress={progress}
          onEverything={() => readPage && selection.everything(readPage)}
          onClear={selection.clear}
        >
          {bulk(acted, selection.clear, run)}
        </BulkBar>
      )}
      {rows?.length === 0 && !isBeyond && (
        <Nothing>
          {props.clearFilters ? (
            <Empty title={t('noMatch')} action={<Button onClick={props.clearFilters}>{t('filter.clear')}</Button>} />
          ) : (
            props.empty
          )}
        </Nothing>
      )}
      {state && go && rows && rows.length > 0 && (
        <Pager state={state} go={go} total={total} isCapped={props.isCapped === true} isWide={props.isWide === true} />
      )}
    </TableFrame>
  )
}

const Table = memo(DrawTable) as typeof DrawTable

/** The index within the body, whose rows are all direct children. */
const rowIndexOf = (target: HTMLElement): number => {
  const row = target.closest('tr')
  return row ? [...row.parentElement!.children].indexOf(row) : 0
}

const Nothing = ({ children }: { children: ReactNode }) => (
  <div className="px-4 py-14 text-center text-ink-3">{children}</div>
)

function TableFrame({ busy, children }: { busy?: boolean; children: ReactNode }) {
  return (
    <div aria-busy={busy || undefined} className="relative overflow-clip rounded-panel border border-line bg-surface">
      {busy && <div className="skeleton appear-late absolute inset-x-0 top-0 z-3 h-0.5 bg-accent" />}
      {children}
    </div>
  )
}
