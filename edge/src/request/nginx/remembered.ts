/** What a worker remembers for a while, up to a number of entries; beyond it the older half is dropped as a whole. */

export type Remembered = {
  /** Whether it is remembered at `now`, in epoch seconds. */
  has(this: void, key: string, now: number): boolean
  keep(this: void, key: string, until: number): void
}

/** `max` applies to each of two generations. */
export function remembered(max: number): Remembered {
  let young: Record<string, number> = {}
  let old: Record<string, number> = {}
  let count = 0
  return {
    has(key, now) {
      const until = young[key] ?? old[key]
      return until !== undefined && now < until
    },
    keep(key, until) {
      if (count >= max) {
        old = young
        young = {}
        count = 0
      }
      if (young[key] === undefined) count++
      young[key] = until
    },
  }
}
