/** A budget of calls per key: 20 per second, with bursts. Kept in memory; per process is enough. */

const perSecond = 20
const keysMax = 50_000

/** An address as text, a session by its id, or an API token by its negated id: no string is created for each call. */
export type BudgetKey = string | number

export class Budget {
  private readonly emptyAt = new Map<BudgetKey, number>()

  private readonly burst: number

  /** `burst`: how many calls a key may make at once. */
  constructor(burst = 100) {
    this.burst = burst
  }

  /** Takes one call. Returns false if the key has none left. `now` is in ms. */
  take(key: BudgetKey, now = Date.now()): boolean {
    const from = Math.max(this.emptyAt.get(key) ?? now, now)
    if (from - now > (this.burst / perSecond) * 1000) return false
    if (this.emptyAt.size >= keysMax) this.forget(now)
    this.emptyAt.set(key, from + 1000 / perSecond)
    return true
  }

  private forget(now: number): void {
    for (const [key, at] of this.emptyAt) if (at <= now) this.emptyAt.delete(key)
    // Still full: a flood of keys. Forgetting all of them is fairer than growing without limit.
    if (this.emptyAt.size >= keysMax) this.emptyAt.clear()
  }
}
