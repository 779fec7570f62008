/** How far a loaded machine is behind, so that a time limit measures the product and not other load. */
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const turnMs = 10
/** A request passes through several processes, and each of them is delayed as this one is. */
const processes = 3
/** Number of timer ticks between two looks at the machine's load. */
const turnsOfALook = 10

/** Extends a limit by what the machine withheld from this process and others like it. All in ms. */
export type Bound = (ms: number) => number

export type Pace = {
  /** A limit counted from the start of the watch. */
  within: Bound
  /** A limit counted from now. */
  from: () => Bound
  stop: () => void
}

/** Watches the ticks of a timer from now on: their delay is time that no process here could use. */
export function watchPace(): Pace {
  let lostMs = 0
  let last = performance.now()
  let turns = 0
  const shares: number[] = []
  const timer = setInterval(() => {
    const now = performance.now()
    // A tick is never early by more than rounding; a slight delay is normal on every machine.
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
      // A process that mostly sleeps is woken in time, and so is this timer, even when busy processes share the cores.
      return ms / share + processes * lateMs
    }
  }
  return { within: from(), from, stop: () => clearInterval(timer) }
}

/** The share of a core that each runnable process has: 1, or less if there are more of them than cores (Linux). */
function shareOfACore(): number {
  const stat = readFileSync('/proc/stat', 'utf8')
  const count = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(stat)?.[1])
  return Math.min(1, availableParallelism() / (count('procs_running') + count('procs_blocked')))
}
