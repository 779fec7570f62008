/** How each part is asked to end: first so that it finishes what is under way, then harder. */

/** What a part may take to finish what is under way, in ms; BREAKWATER_DRAIN_SECONDS of the environment. */
export const drainMs = Number(process.env.BREAKWATER_DRAIN_SECONDS || 30) * 1000
/** Beyond that, before the next signal. */
const MARGIN_MS = 5_000

const SIGNALS: Record<string, NodeJS.Signals[]> = {
  // A fast shutdown in good order; PostgreSQL gives SIGTERM another meaning.
  postgres: ['SIGINT', 'SIGQUIT', 'SIGKILL'],
  // nginx drops open connections on SIGTERM, and finishes them on SIGQUIT.
  nginx: ['SIGQUIT', 'SIGTERM', 'SIGKILL'],
  lab: ['SIGQUIT', 'SIGTERM', 'SIGKILL'],
}

export const signalsOf = (name: string): NodeJS.Signals[] =>
  SIGNALS[name.replace(/-leaving$/, '')] ?? ['SIGTERM', 'SIGKILL']
/** How long a part is waited for after each signal, in ms. */
export const stopPatienceMs = drainMs + MARGIN_MS
