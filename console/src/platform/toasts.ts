/** Short messages about successes and failures. Messages sent before the toaster is loaded are queued. */
import { useSyncExternalStore } from 'react'

type Message = {
  title: string
  description?: string
  type: 'done' | 'failed'
  timeout: number
  priority?: 'high'
  /** Undoes the action. */
  undo?: () => void
  /**
   * Identifies a message that is updated step by step: it is appended to the toast of the last action while that is
   * still shown.
   */
  story?: object
}

/** How long an action can be undone, in milliseconds. */
const undoMs = 10_000

const waiting: Message[] = []
const watchers = new Set<() => void>()
let isWanted = false
let show = (message: Message): void => {
  waiting.push(message)
  prepareToasts()
}

/** Loads the toaster. */
export function prepareToasts(): void {
  isWanted = true
  for (const watch of watchers) watch()
}

/** Called by the toaster once it is loaded. */
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
  /** `description` says in our words what happened, below the specification's headline. */
  done: (title: string, description = ''): void =>
    show({ title, description, type: 'done', timeout: description ? 6000 : 4000 }),
  /**
   * For actions that can be undone: performed at once, and announced with Undo (one that cannot be undone has a
   * `ConfirmButton`).
   */
  undo: (title: string, undo: () => void): void => show({ title, type: 'done', timeout: undoMs, undo }),
  /**
   * Adds progress to the last action, repeatedly: below its headline, or on its own if there is none. The toast stays
   * until the last update; once closed, it shows no more.
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
