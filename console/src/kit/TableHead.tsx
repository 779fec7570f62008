/**
 * The head of a list: select all of the page, the columns, and sorting by click. It is sticky while the rows scroll.
 */
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { memo } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { cn } from './cn.ts'
import { Checkbox } from './Toggle.tsx'
import type { Column, Go, ListState } from './table-column.ts'

type Props<Row> = {
  columns: readonly Column<Row>[]
  state: ListState | undefined
  go: Go | undefined
  /** Reserves room for the tools above the last column's head. */
  hasTools: boolean
  /** Without it, rows cannot be selected. */
  choice: { all: boolean; some: boolean; isEmpty: boolean; flip: (on: boolean) => void } | undefined
}

const cell = 'sticky top-0 z-1 bg-surface shadow-[inset_0_-1px_0_var(--line)]'

export function TableHead<Row>({ columns, state, go, hasTools, choice }: Props<Row>) {
  const t = usePhrases('kit')
  return (
    <thead>
      <tr className="h-[34px]">
        {choice && (
          <th scope="col" className={cn(cell, 'w-9 pl-3')}>
            <Checkbox
              aria-label={t('selectAll')}
              checked={choice.all}
              indeterminate={choice.some && !choice.all}
              disabled={choice.isEmpty}
              onCheckedChange={choice.flip}
            />
          </th>
        )}
        {columns.map((column, index) => (
          <HeaderCell
            key={column.key}
            column={column}
            state={state}
            go={go}
            className={cn(cell, hasTools && index === columns.length - 1 && 'sm:pr-11!')}
          />
        ))}
      </tr>
    </thead>
  )
}

type CellProps<Row> = Pick<Props<Row>, 'state' | 'go'> & { column: Column<Row>; className: string }

function DrawCell<Row>({ column, state, go, className }: CellProps<Row>) {
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
        column.end && 'text-right not-last:pr-5',
        className,
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

const HeaderCell = memo(DrawCell) as typeof DrawCell
