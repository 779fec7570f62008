/**
 * Widgets on a grid of twelve columns: moved, resized and removed with mouse or keyboard in edit mode. A single column
 * on narrow pages.
 */

import type { CSSProperties, ReactNode } from 'react'
import { useRef, useState } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { arrange, type Cell, gridColumns, inOrder } from './grid-layout.ts'
import { WidgetHandles } from './WidgetHandles.tsx'

const rowHeight = 92
const gap = 12

/** The height of that many rows, in pixels. */
export const heightOf = (rows: number): number => rows * rowHeight + (rows - 1) * gap

type Props<C extends Cell> = {
  cells: readonly C[]
  render: (cell: C) => ReactNode
  labelOf: (cell: C) => string
  /** Without it the grid cannot be edited. */
  onChange?: ((cells: C[]) => void) | undefined
  onRemove?: (cell: C) => void
}

/** The current drag: the cell as it was, and where it was grabbed. */
type Grip = { cell: Cell; left: number; top: number; kind: 'move' | 'size' }

export function WidgetGrid<C extends Cell>({ cells, render, labelOf, onChange, onRemove }: Props<C>) {
  const t = usePhrases('kit')
  const box = useRef<HTMLUListElement>(null)
  const grip = useRef<Grip>(undefined)
  const [draft, setDraft] = useState<C[]>()
  // The last position of a drag counts when it ends, whether or not it was rendered yet.
  const moved = useRef<C[]>(undefined)
  const [said, setSaid] = useState('')
  // Rendered in the order before the move: a drag is lost when its element changes place among its siblings.
  const shown = inOrder(cells).map((cell) => draft?.find(({ id }) => id === cell.id) ?? cell)

  function preview(next: C[] | undefined) {
    moved.current = next
    setDraft(next)
  }

  function drag(left: number, top: number) {
    const held = grip.current
    if (!held || !box.current) return
    const column = (box.current.clientWidth + gap) / gridColumns
    const x = Math.round((left - held.left) / column)
    const y = Math.round((top - held.top) / (rowHeight + gap))
    const { cell, kind } = held
    const to = kind === 'move' ? { x: cell.x + x, y: cell.y + y } : { w: cell.w + x, h: cell.h + y }
    preview(arrange(cells, cell.id, to))
  }

  function change(next: C[], id: string) {
    onChange?.(next)
    const cell = next.find((one) => one.id === id)
    if (cell) setSaid(t('grid.said', { name: labelOf(cell), x: cell.x + 1, y: cell.y + 1, w: cell.w, h: cell.h }))
  }

  function drop() {
    const held = grip.current
    const last = moved.current
    grip.current = undefined
    preview(undefined)
    if (held && last) change(last, held.cell.id)
  }

  return (
    <>
      <ul ref={box} className="grid auto-rows-auto grid-cols-1 gap-3 lg:grid-cols-12 lg:auto-rows-[minmax(92px,auto)]">
        {shown.map((cell) => (
          <li
            key={cell.id}
            style={placeOf(cell)}
            className="group/widget relative min-w-0 lg:[grid-column:var(--column)] lg:[grid-row:var(--row)]"
          >
            {render(cell)}
            {onChange && (
              <WidgetHandles
                cell={cell}
                cells={cells}
                name={labelOf(cell)}
                isHeld={draft !== undefined && grip.current?.cell.id === cell.id}
                onGrip={(kind, left, top) => {
                  grip.current = { cell, left, top, kind }
                  preview([...cells])
                }}
                onDrag={drag}
                onDrop={drop}
                onKey={(to) => change(arrange(cells, cell.id, to), cell.id)}
                onRemove={onRemove && (() => onRemove(cell))}
              />
            )}
          </li>
        ))}
      </ul>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

const placeOf = ({ x, y, w, h }: Cell): CSSProperties =>
  ({ '--column': `${x + 1} / span ${w}`, '--row': `${y + 1} / span ${h}` }) as CSSProperties
