/** Reordering a list of rules: by dragging, or by Alt with the arrow keys; with undo. */
import { type DragEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'
import { showFault } from './faults.tsx'
import type { ListState } from './table-column.ts'

type Identified = { id: number }

export type RuleOrder = {
  frame: RefObject<HTMLDivElement | null>
  /** Event handlers for the element around the table, which is `frame`. */
  handlers: object
  total: number
  /** The rule's position across all pages, from 0; undefined if the list has no order, or without permission. */
  placeOf: (id: number) => number | undefined
  move: (id: number, to: number) => void
}

export function useRuleOrder<Rule extends Identified>(
  data: { data: Rule[]; total: number } | undefined,
  { page, pageSize }: ListState,
  save: ((rule: Rule, to: number) => Promise<unknown>) | undefined,
): RuleOrder {
  const t = usePhrases('rules')
  const frame = useRef<HTMLDivElement>(null)
  const dragged = useRef<number>(undefined)
  /** The rule that was moved by keyboard: its row keeps the focus at its new position. */
  const followed = useRef<number>(undefined)
  const rules = data?.data ?? []
  const total = data?.total ?? 0
  const first = (page - 1) * pageSize
  const indexOf = (id: number) => rules.findIndex((rule) => rule.id === id)
  const rowOf = (target: EventTarget) => (target as HTMLElement).closest<HTMLTableRowElement>('tbody tr')

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the order of the rows changed
  useEffect(() => {
    if (followed.current === undefined) return
    frame.current?.querySelector<HTMLElement>(`[data-rule="${followed.current}"]`)?.focus()
    followed.current = undefined
  }, [data])

  async function put(rule: Rule, from: number, to: number) {
    try {
      await save?.(rule, to)
      toasts.undo(t('moved', { n: to + 1 }), () => void save?.(rule, from).catch(showFault))
    } catch (fault) {
      await showFault(fault)
    }
  }
  function move(id: number, to: number) {
    const index = indexOf(id)
    const rule = rules[index]
    if (rule && to >= 0 && to < total && to !== first + index) void put(rule, first + index, to)
  }
  function press(event: KeyboardEvent) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const row = rowOf(event.target)
    if (!event.altKey || by === undefined || !row) return
    const rule = rules[row.sectionRowIndex]
    if (!rule) return
    event.preventDefault()
    followed.current = rule.id
    move(rule.id, first + row.sectionRowIndex + by)
  }
  /** Marks where it would be dropped: above or below the row under the pointer. */
  function show(row: HTMLTableRowElement | null) {
    for (const old of frame.current?.querySelectorAll<HTMLElement>('tr[data-drop]') ?? []) delete old.dataset.drop
    const from = dragged.current === undefined ? -1 : indexOf(dragged.current)
    if (row && from !== row.sectionRowIndex) row.dataset.drop = from > row.sectionRowIndex ? 'over' : 'under'
  }
  const handlers = {
    onKeyDown: press,
    onDragStart(event: DragEvent) {
      const id = Number((event.target as HTMLElement).dataset?.rule)
      const row = rowOf(event.target)
      if (!id || !row) return
      dragged.current = id
      event.dataTransfer.effectAllowed = 'move'
      event.dataTransfer.setDragImage(row, 12, 12)
    },
    onDragOver(event: DragEvent) {
      if (dragged.current === undefined) return
      event.preventDefault()
      show(rowOf(event.target))
    },
    onDrop(event: DragEvent) {
      const row = rowOf(event.target)
      if (dragged.current !== undefined && row) {
        event.preventDefault()
        move(dragged.current, first + row.sectionRowIndex)
      }
    },
    onDragEnd() {
      dragged.current = undefined
      show(null)
    },
  }
  return {
    frame,
    handlers: save ? handlers : {},
    total,
    placeOf: (id) => (save && total > 1 && indexOf(id) >= 0 ? first + indexOf(id) : undefined),
    move,
  }
}
