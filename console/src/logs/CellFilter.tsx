/**
 * The buttons to filter for and exclude, at the cell under the pointer or reached by keyboard: one pair for the whole
 * table, so that no row renders for it. Right and left move from a row through its values, up and down return to the
 * row.
 */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import type { FacetField } from '@breakwater/contract/logs/explorer.ts'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Column } from '../kit/ResourceTable.tsx'
import { logWord } from '../pickers/log-words.ts'
import { usePhrases } from '../platform/phrases.ts'
import { FilterPair } from './FieldBar.tsx'
import type { OnFilter } from './RowFacts.tsx'
import { valueAt } from './row-values.ts'

type Props = {
  /** The scroll container of the table: an offset parent. */
  box: RefObject<HTMLElement | null>
  rows: readonly AccessLogRow[]
  columns: readonly Column<AccessLogRow>[]
  onFilter: OnFilter
}
type Place = { cell: HTMLTableCellElement; field: FacetField; value: string; top: number; left: number; height: number }

export function CellFilter({ box, rows, columns, onFilter }: Props) {
  const t = usePhrases('logs')
  const pair = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place>()
  /** Which of the two buttons the keyboard reached; undefined for the pointer. */
  const [reached, setReached] = useState<0 | 1>()

  useEffect(() => {
    const frame = box.current
    if (!frame) return
    const placeOf = (cell: HTMLTableCellElement | null): Place | undefined => {
      const row = rows[Number(cell?.closest('tr')?.dataset.index)]
      const column = columns[cell?.cellIndex ?? -1]
      const found = row && column && valueAt(row, column.key)
      if (!found || !cell) return undefined
      const [within, around] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()]
      const text = document.createRange()
      text.selectNodeContents(cell.firstElementChild ?? cell)
      const end = text.getBoundingClientRect().right
      // A short value stays readable beside the buttons; the end of a long one is covered.
      const isShort = within.width < shortWidth && end + gap > within.right - pairWidth
      const left = Math.min(isShort ? end + gap : within.right - pairWidth, around.right - pairWidth - gap)
      return {
        ...{ cell, ...found, height: within.height },
        ...{ top: within.top - around.top + frame.scrollTop, left: left - around.left + frame.scrollLeft },
      }
    }
    /** Returns the next cell of the row that can be filtered by. */
    const nextOf = (cells: readonly HTMLTableCellElement[], from: number, by: 1 | -1) => {
      for (let at = from; cells[at]; at += by) {
        const found = placeOf(cells[at]!)
        if (found) return found
      }
      return undefined
    }
    const over = ({ target, pointerType }: PointerEvent) => {
      if (pointerType !== 'mouse' || pair.current?.contains(target as Node)) return
      setPlace(placeOf((target as HTMLElement).closest('td')))
      setReached(undefined)
    }
    const leave = () => {
      if (!pair.current?.contains(document.activeElement)) setPlace(undefined)
    }
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      const inPair = pair.current?.contains(target) === true
      const row = (inPair ? place?.cell : target)?.closest('tr')
      const by = ({ ArrowRight: 1, ArrowLeft: -1 } as const)[event.key]
      const cells = [...(row?.cells ?? [])]
      if (row?.dataset.index === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      if (inPair && ['ArrowUp', 'ArrowDown', 'Escape'].includes(event.key)) {
        event.preventDefault()
        event.stopPropagation()
        setPlace(undefined)
        row.focus()
      } else if (by !== undefined && (inPair || by === 1)) {
        const button = [...(pair.current?.querySelectorAll('button') ?? [])].indexOf(target as HTMLButtonElement)
        const isWithin = inPair && (button + by === 0 || button + by === 1)
        const next = isWithin ? place : nextOf(cells, inPair ? place!.cell.cellIndex + by : 0, by)
        event.preventDefault()
        if (!next) return
        next.cell.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        setPlace(isWithin ? next : placeOf(next.cell))
        setReached(isWithin ? ((button + by) as 0 | 1) : by === 1 ? 0 : 1)
      }
    }
    frame.addEventListener('pointerover', over)
    frame.addEventListener('pointerleave', leave)
    frame.addEventListener('keydown', press)
    return () => {
      frame.removeEventListener('pointerover', over)
      frame.removeEventListener('pointerleave', leave)
      frame.removeEventListener('keydown', press)
    }
  }, [box, rows, columns, place])

  useEffect(() => {
    if (place && reached !== undefined)
      pair.current?.querySelectorAll('button')[reached]?.focus({ preventScroll: true })
  }, [place, reached])

  if (!place) return null
  const { field, value, top, left, height } = place
  function filter(not: boolean) {
    setPlace(undefined)
    // The rows will be replaced, so the focus moves to their container.
    if (reached !== undefined) box.current?.focus()
    onFilter(field, value, not)
  }
  return (
    <div
      ref={pair}
      style={{ top, left, height }}
      role="toolbar"
      aria-label={t(field)}
      className="absolute flex items-center"
      onBlur={({ relatedTarget }) => {
        if (!pair.current?.contains(relatedTarget)) setPlace(undefined)
      }}
    >
      <span className="rounded-control bg-raised shadow-[var(--shadow)]">
        <FilterPair field={t(field)} name={logWord(field, value, t)} onFilter={filter} />
      </span>
    </div>
  )
}

/** In px: the width of two small buttons, the gap beside them, and the width of a cell that they would cover. */
const pairWidth = 52
const gap = 4
const shortWidth = 130
