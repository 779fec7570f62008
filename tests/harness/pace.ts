/** How far a loaded machine is behind, so that a bound in time speaks of the product and not of what else runs. */

const turnMs = 10
/** A request goes through several processes, and each of them is held up as this one is. */
const processes = 3

export type Pace = {
  /** The bound, with what the machine took from this process and its like since the watch began. All in ms. */
  within: (ms: number) => number
  stop: () => void
}

/** Watches the turns of a timer from now on: what they come late is what nobody here could have used. */
export function watchPace(): Pace {
  let lostMs = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // A turn is never early by more than a rounding; one that is a little late is every machine's.
    lostMs += Math.max(0, now - last - 1.5 * turnMs)
    last = now
  }, turnMs)
  timer.unref()
  return {
    within: (ms) => ms + processes * (lostMs + Math.max(0, performance.now() - last - 1.5 * turnMs)),
    stop: () => clearInterval(timer),
  }
}
