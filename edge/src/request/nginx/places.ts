/**
 * Places for work in threads: so many at once, one per site. Requests beyond that wait briefly, up to a limit; all
 * others get none.
 */
import * as semaphore from 'ngx.semaphore'
import { timeLeft } from '../lib/time-left.ts'

/** How many run and wait at most, in all and for one site, and for how many seconds one waits. */
export type PlaceLimits = { running: number; waiting: number; waitingOfSite: number; patience: number }

export type Places = {
  /** Waits for a free place. Returns false if there is none in time. */
  take(this: void, site: number): boolean
  leave(this: void, site: number): void
}

export function newPlaces(limits: PlaceLimits): Places {
  let running = 0
  let waiting = 0
  const runningOf: Record<number, boolean | undefined> = {}
  const waitingOf: Record<number, number | undefined> = {}
  let freed: semaphore.Semaphore | undefined

  /** Created on first use: nginx's master process has no semaphores. */
  function freedPlaces(): semaphore.Semaphore {
    const [made] = freed === undefined ? semaphore.new(0) : [freed]
    freed = made!
    return freed
  }

  return {
    take(site) {
      const until = ngx.now() + limits.patience
      while (running >= limits.running || runningOf[site] === true) {
        const ofSite = waitingOf[site] ?? 0
        const left = timeLeft(until, ngx.now())
        if (waiting >= limits.waiting || ofSite >= limits.waitingOfSite || left === undefined) return false
        waiting++
        waitingOf[site] = ofSite + 1
        freedPlaces().wait(left)
        waiting--
        const others = (waitingOf[site] ?? 1) - 1
        waitingOf[site] = others === 0 ? undefined : others
      }
      running++
      runningOf[site] = true
      return true
    },
    leave(site) {
      running--
      runningOf[site] = undefined
      // Wakes all that wait: the first may belong to a site whose place is taken.
      if (waiting > 0) freedPlaces().post(waiting)
    },
  }
}
