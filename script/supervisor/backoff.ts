const FIRST_MS = 500
/** What dies again and again costs a second of a core each time; what a passing fault made die should not stay away longer. */
const MAX_MS = 5_000
/** Whoever ran this long had got over whatever made it die before: parts serve a second or two after their start. */
const HEALTHY_MS = 5_000

/** How long to wait before each next start: longer with every quick death, and by chance, so that not all start at once. */
export function makeBackoff(random = Math.random) {
  let deaths = 0
  return {
    nextMs(livedMs: number): number {
      deaths = livedMs >= HEALTHY_MS ? 1 : deaths + 1
      return Math.round(random() * Math.min(MAX_MS, FIRST_MS * 2 ** (deaths - 1)))
    },
  }
}
