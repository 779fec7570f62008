/** Short messages: what was done, what failed. What is said before the place for them is loaded waits for it. */
import { useSyncExternalStore } from 'react'

type Message = {
  title: string
  description?: string
  type: 'done' | 'failed'
  timeout: number
  priority?: 'high'
  /** Takes back what was done. */
  undo?: () => void
  /** What is said bit by bit, as one message: below the last thing that was done, where that is still shown. */
  story?: object
}

/** Milliseconds in which what was done can be taken back. */
const undoMs = 10_000

const waiting: Message[] = []
const watchers = new Set<() => void>()
let isWanted = false
let show = (message: Message): void => {
  waiting.push(message)
  prepareToasts()
}

/** Has the place for messages loaded. */
export function prepareToasts(): void {
  isWanted = true
  for (const watch of watchers) watch()
}

/** Called by that place when it is there. */
export function showThrough(next: typeof show): void {
  show = next
  for (const message of waiting.splice(0)) show(message)
}

export const useToastsWanted = (): boolean =>
  useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => isWanted,
  )

export const toasts = {
  /** `description` says what happened in words of ours, below a headline that the specification gives. */
  done: (title: string, description = ''): void =>
    show({ title, description, type: 'done', timeout: description ? 6000 : 4000 }),
  /** For what can be taken back: it is done at once, and said with a way back (a thing that cannot has a `ConfirmButton`). */
  undo: (title: string, undo: () => void): void => show({ title, type: 'done', timeout: undoMs, undo }),
  /**
   * Says more of what was just done, again and again: below its headline, and by itself where none was said. It stays until
   * it was said for the last time, and whoever closes it hears no more.
   */
  story(undo?: () => void): (text: string, isLast: boolean) => void {
    const story = {}
    return (text, isLast) =>
      show({ title: text, type: 'done', timeout: isLast ? undoMs : 0, story, ...(undo ? { undo } : {}) })
  },
  info: (title: string): void => show({ title, type: 'done', timeout: 6000 }),
  failed: (title: string, description = ''): void =>
    show({ title, description, type: 'failed', timeout: 10_000, priority: 'high' }),
}
