/** A budget of calls per key: 20 a second and 100 at once. Kept in memory; a process's share is enough. */

const perSecond = 20
const burst = 100
const keysMax = 50_000

/** Addresses as text; sessions by their number, API tokens by theirs below zero: no text is made for each call. */
export type BudgetKey = string | number

export class Budget {
  private readonly emptyAt = new Map<BudgetKey, number>()

  /** Takes one call. False when the key has none left. `now` in ms. */
  take(key: BudgetKey, now = Date.now()): boolean {
    const from = Math.max(this.emptyAt.get(key) ?? now, now)
    if (from - now > (burst / perSecond) * 1000) return false
    if (this.emptyAt.size >= keysMax) this.forget(now)
    this.emptyAt.set(key, from + 1000 / perSecond)
    return true
  }

  private forget(now: number): void {
    for (const [key, at] of this.emptyAt) if (at <= now) this.emptyAt.delete(key)
    // Still full: a flood of keys. Forgetting all of them is fairer than growing without bound.
    if (this.emptyAt.size >= keysMax) this.emptyAt.clear()
  }
}
