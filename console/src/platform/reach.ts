/** Whether the server answers, and when it last did: every call tells, the frame shows it. */
import { useSyncExternalStore } from 'react'

/** `heardAt` is in epoch milliseconds. */
type Reach = { isAway: boolean; heardAt: number }

/** A proxy in front of a server that is not there answers so. */
const gatewayStatuses = new Set([502, 504])

let reach: Reach = { isAway: false, heardAt: Date.now() }
const watchers = new Set<() => void>()

function set(next: Reach): void {
  const isOther = next.isAway !== reach.isAway
  reach = next
  if (isOther) for (const watch of watchers) watch()
}

/** Notes an answer by its status; 0 where none came. */
export function noteAnswer(status: number): void {
  if (status === 0 || gatewayStatuses.has(status)) set({ ...reach, isAway: true })
  else set({ isAway: false, heardAt: Date.now() })
}

const subscribe = (watch: () => void) => {
  watchers.add(watch)
  const lost = () => noteAnswer(0)
  addEventListener('offline', lost)
  return () => {
    watchers.delete(watch)
    removeEventListener('offline', lost)
  }
}

/** When the server was last heard of, while it does not answer; nothing while it does. */
export const useAwaySince = (): number | undefined =>
  useSyncExternalStore(subscribe, () => (reach.isAway ? reach.heardAt : undefined))
