/** So many quick deaths are forgiven: whoever is killed now and then is started again at once. */
const FORGIVEN = 3
const AT_ONCE_MS = 50
const FIRST_MS = 500
/** What dies again and again costs a second of a core each time; what a passing fault made die should not stay away longer. */
const MAX_MS = 5_000
/** Each such span of life makes up for one death; parts serve within half of it. */
const LIFE_MS = 2_000

/** How long to wait before each next start: longer with every quick death, and by chance, so that not all start at once. */
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
