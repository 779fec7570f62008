/** Whether the server is reachable, and when it last responded: every call reports it, and the frame displays it. */
import { useSyncExternalStore } from 'react'

/** `heardAt` is in epoch milliseconds. */
type Reach = { isAway: boolean; heardAt: number }

/** The statuses of a proxy whose server is down. */
const gatewayStatuses = new Set([502, 504])

let reach: Reach = { isAway: false, heardAt: Date.now() }
const watchers = new Set<() => void>()

function set(next: Reach): void {
  const isOther = next.isAway !== reach.isAway
  reach = next
  if (isOther) for (const watch of watchers) watch()
}

/** Records a response by its status; 0 if there was none. */
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

/** When the server last responded, while it is unreachable; undefined otherwise. */
export const useAwaySince = (): number | undefined =>
  useSyncExternalStore(subscribe, () => (reach.isAway ? reach.heardAt : undefined))
