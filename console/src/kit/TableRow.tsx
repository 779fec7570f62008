/** One row of a list; a card on narrow screens. Renders again only when its data changed. */
import { memo, type ReactNode } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { cn } from './cn.ts'
import { isPlainClick } from './plain-click.ts'
import { Checkbox } from './Toggle.tsx'
import type { Column } from './table-column.ts'

type Props<Row> = {
  row: Row
  columns: readonly Column<Row>[]
  label: string
  isChosen: boolean
  /** Whether Tab reaches this row; from it, the arrow keys reach the others. */
  isStop: boolean
  height: string
  /** Without it, the row cannot be selected. */
  flip: ((row: Row) => void) | undefined
  /** What a click on the row does, as well as on the name in it. */
  onOpen?: ((row: Row) => void) | undefined
}

function Draw<Row>({ row, columns, label, isChosen, isStop, height, flip, onOpen }: Props<Row>): ReactNode {
  const t = usePhrases('kit')
  return (
    <tr
      tabIndex={isStop ? 0 : -1}
      data-chosen={isChosen || undefined}
      onClick={onOpen && ((event) => isPlainClick(event) && onOpen(row))}
      className={cn(
        'border-line border-b bg-surface last:border-b-0 hover:bg-sunken focus-visible:-outline-offset-2 data-chosen:bg-accent-bg',
        height,
        onOpen && 'cursor-pointer',
      )}
    >
      {flip && (
        <td className="w-9 pl-3" data-choice="">
          <Checkbox aria-label={t('selectRow', { name: label })} checked={isChosen} onCheckedChange={() => flip(row)} />
        </td>
      )}
      <Cells row={row} columns={columns} />
    </tr>
  )
}

export const TableRow = memo(Draw) as typeof Draw

function DrawCells<Row>({ row, columns }: Pick<Props<Row>, 'row' | 'columns'>): ReactNode {
  return columns.map((column, index) => (
    <td
      key={column.key}
      data-label={column.title}
      data-lead={index === 0 || undefined}
      className={cn(
        'px-2.5 first:pl-4 last:pr-4 sm:whitespace-nowrap',
        column.end && 'num text-right not-last:pr-5',
        column.grows && 'sm:w-full',
        // The actions of a row stay visible when its columns do not fit.
        column.title === '' && 'bg-inherit sm:sticky sm:right-0',
      )}
    >
      {column.render(row)}
    </td>
  ))
}

/** Separate from the row: selecting a hundred rows renders a hundred checkboxes, and no cell. */
const Cells = memo(DrawCells) as typeof DrawCells

export function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: 6 }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: all rows are alike
    <tr key={index} aria-hidden className="appear-late h-[38px] border-line border-b last:border-b-0">
      <td colSpan={columns} className="px-4">
        <div className="skeleton h-3" style={{ width: `${90 - ((index * 17) % 40)}%` }} />
      </td>
    </tr>
  ))
}
