/** How far a loaded machine is behind, so that a bound in time speaks of the product and not of what else runs. */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const turnMs = 10
/** A request goes through several processes, and each of them is held up as this one is. */
const processes = 3
/** So many turns go by between two looks at the machine. */
const turnsOfALook = 10

/** A bound, with what the machine took from this process and its like. All in ms. */
export type Bound = (ms: number) => number

export type Pace = {
  /** A bound since the watch began. */
  within: Bound
  /** A bound from now on. */
  from: () => Bound
  stop: () => void
}

/** Watches the turns of a timer from now on: what they come late is what nobody here could have used. */
export function watchPace(): Pace {
  let lostMs = 0
  let last = performance.now()
  let turns = 0
  const shares: number[] = []
  const timer = setInterval(() => {
    const now = performance.now()
    // A turn is never early by more than a rounding; one that is a little late is every machine's.
    lostMs += Math.max(0, now - last - 1.5 * turnMs)
    last = now
    if (++turns % turnsOfALook === 0) shares.push(shareOfACore())
  }, turnMs)
  timer.unref()
  const from = (): Bound => {
    const [lostBefore, looks, now] = [lostMs, shares.length, shareOfACore()]
    return (ms) => {
      const lateMs = lostMs - lostBefore + Math.max(0, performance.now() - last - 1.5 * turnMs)
      const seen = [now, ...shares.slice(looks)]
      const share = seen.reduce((sum, one) => sum + one, 0) / seen.length
      // Who sleeps much is woken in time, and so this timer, where those who work have a part of a core each.
      return ms / share + processes * lateMs
    }
  }
  return { within: from(), from, stop: () => clearInterval(timer) }
}

/** What each process that could work now has of a core: 1, or less where more of them want to than there are cores (Linux). */
function shareOfACore(): number {
  const stat = readFileSync('/proc/stat', 'utf8')
  const count = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1])
  return Math.min(1, availableParallelism() / (count('procs_running') + count('procs_blocked')))
}
