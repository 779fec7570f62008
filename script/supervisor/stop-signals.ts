/** How each part is asked to stop: first gracefully, so that it finishes work in progress, then harder. */

/** How long a part may take to finish work in progress, in ms; set by BREAKWATER_DRAIN_SECONDS. */
export const drainMs = Number(process.env.BREAKWATER_DRAIN_SECONDS || 30) * 1000
/** Added to that before the next signal. */
const MARGIN_MS = 5_000

const SIGNALS: Record<string, NodeJS.Signals[]> = {
  // Fast but orderly shutdown; SIGTERM means something else to PostgreSQL.
  postgres: ['SIGINT', 'SIGQUIT', 'SIGKILL'],
  // nginx drops open connections on SIGTERM, and finishes them on SIGQUIT.
  nginx: ['SIGQUIT', 'SIGTERM', 'SIGKILL'],
  lab: ['SIGQUIT', 'SIGTERM', 'SIGKILL'],
}

export const signalsOf = (name: string): NodeJS.Signals[] =>
  SIGNALS[name.replace(/-leaving$/, '')] ?? ['SIGTERM', 'SIGKILL']
/** How long to wait for a part after each signal, in ms. */
export const stopPatienceMs = drainMs + MARGIN_MS
