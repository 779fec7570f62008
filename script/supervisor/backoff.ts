/** This many quick deaths are forgiven: a part that is killed now and then restarts at once. */
const FORGIVEN = 3
const AT_ONCE_MS = 50
const FIRST_MS = 500
/**
 * A crash loop costs a second of a core per start; a part that died of a transient fault should not stay down longer.
 */
const MAX_MS = 5_000
/** Each such span of uptime makes up for one death; parts serve within half of it. */
const LIFE_MS = 2_000

/**
 * How long to wait before the next start: longer with every quick death, with jitter, so that not all start at once.
 */
export function makeBackoff(random = Math.random) {
  let deaths = 0
  return {
    nextMs(livedMs: number): number {
      deaths = Math.max(0, deaths - Math.floor(livedMs / LIFE_MS)) + 1
      const bound = deaths > FORGIVEN ? Math.min(MAX_MS, FIRST_MS * 2 ** (deaths - FORGIVEN - 1)) : AT_ONCE_MS
      return Math.round(random() * bound)
    },
  }
}
