/** Places for work in threads: so many at once, one per site. Requests beyond that wait briefly, up to a limit. */
import * as semaphore from 'ngx.semaphore'
import { timeLeft } from '../lib/time-left.ts'

/** How many run and wait at most, in all and for one site, and for how many seconds one waits. */
export type PlaceLimits = { running: number; waiting: number; waitingOfSite: number; patience: number }

export type Places = {
  /** Waits for a free place. `ofSite`: too many of the site wait already; `busy`: too many wait, or none was free in time. */
  take(this: void, site: number): 'taken' | 'ofSite' | 'busy'
  leave(this: void, site: number): void
}

/** Places of one thread pool, for this worker. */
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
        if (ofSite >= limits.waitingOfSite) return 'ofSite'
        if (waiting >= limits.waiting || left === undefined) return 'busy'
        waiting++
        waitingOf[site] = ofSite + 1
        freedPlaces().wait(left)
        waiting--
        const others = (waitingOf[site] ?? 1) - 1
        waitingOf[site] = others === 0 ? undefined : others
      }
      running++
      runningOf[site] = true
      return 'taken'
    },
    leave(site) {
      running--
      runningOf[site] = undefined
      // Wakes all that wait: the first may belong to a site whose place is taken.
      if (waiting > 0) freedPlaces().post(waiting)
    },
  }
}
