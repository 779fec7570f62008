/** Why the last session ended involuntarily: shown on the sign-in page until somebody signs in. */
import { useSyncExternalStore } from 'react'

let reason: string | undefined
const watchers = new Set<() => void>()

export function tellEnded(next: string | undefined): void {
  reason = next
  for (const watch of watchers) watch()
}

export const useEnded = (): string | undefined =>
  useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => reason,
  )
