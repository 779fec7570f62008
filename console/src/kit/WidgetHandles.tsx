/** The drag handles of a widget in edit mode. Keys: arrows move, Shift and arrows resize, Delete removes. */
import { GripVertical, X } from 'lucide-react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { IconButton } from './Button.tsx'
import { cn } from './cn.ts'
import { type Cell, stepRow } from './grid-layout.ts'

type Props = {
  cell: Cell
  cells: readonly Cell[]
  name: string
  isHeld: boolean
  onGrip: (kind: 'move' | 'size', left: number, top: number) => void
  onDrag: (left: number, top: number) => void
  onDrop: () => void
  onKey: (to: Partial<Omit<Cell, 'id'>>) => void
  onRemove: (() => void) | undefined
}

export function WidgetHandles({ cell, cells, name, isHeld, onGrip, onDrag, onDrop, onKey, onRemove }: Props) {
  const t = usePhrases('kit')

  function press(event: KeyboardEvent) {
    const side = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key] as -1 | 1 | undefined
    const isAcross = event.key === 'ArrowLeft' || event.key === 'ArrowRight'
    if (side && event.shiftKey) onKey(isAcross ? { w: cell.w + side } : { h: cell.h + side })
    else if (side) onKey(isAcross ? { x: cell.x + side } : { y: stepRow(cells, cell, side) })
    else if (event.key === 'Delete' && onRemove) onRemove()
    else return
    event.preventDefault()
  }

  const held = (kind: 'move' | 'size') => ({
    onPointerDown(event: PointerEvent) {
      event.currentTarget.setPointerCapture(event.pointerId)
      onGrip(kind, event.clientX, event.clientY)
    },
    onPointerMove: (event: PointerEvent) => event.buttons > 0 && onDrag(event.clientX, event.clientY),
    onPointerUp: onDrop,
    onPointerCancel: onDrop,
    onLostPointerCapture: onDrop,
  })
  return (
    <>
      <span
        aria-hidden
        className={cn(
          'pointer-events-none absolute inset-0 z-2 rounded-panel border-2 border-dashed',
          isHeld ? 'border-accent bg-accent/15' : 'border-accent/40 bg-accent/5',
        )}
      />
      <span className="absolute top-2 right-2 z-3 flex gap-1">
        <IconButton
          size="iconSm"
          look="line"
          label={t('grid.move', { name })}
          aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Shift+ArrowLeft Shift+ArrowRight Delete"
          style={{ touchAction: 'none', cursor: 'grab' }}
          onKeyDown={press}
          {...held('move')}
        >
          <GripVertical size={14} aria-hidden />
        </IconButton>
        {onRemove && (
          <IconButton size="iconSm" look="line" label={t('grid.remove', { name })} onClick={onRemove}>
            <X size={14} aria-hidden />
          </IconButton>
        )}
      </span>
      {/* The keyboard resizes with the handle above; this corner is for dragging. */}
      <span
        aria-hidden
        data-size-of={cell.id}
        className="absolute right-0 bottom-0 z-3 size-5 cursor-nwse-resize rounded-br-panel border-accent border-r-3 border-b-3 max-lg:hidden"
        style={{ touchAction: 'none' }}
        {...held('size')}
      />
    </>
  )
}
