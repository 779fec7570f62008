/**
 * The rate limit of reports, which come once a second, and at once after a change: a short burst, then one a second.
 */
const everyMs = 1000
const atOnce = 3

export class ReportPace {
  /** For each node, when its budget is full again. */
  private readonly fullAt = new Map<number, number>()

  /** Counts one report. Returns false if the node should have waited. `now` in ms. */
  take(nodeId: number, now = Date.now()): boolean {
    const fullAt = Math.max(this.fullAt.get(nodeId) ?? now, now) + everyMs
    if (fullAt - now > atOnce * everyMs) return false
    this.fullAt.set(nodeId, fullAt)
    return true
  }
}
