/**
 * Work for one request that takes longer than others should wait: it goes on in slices, and between two of them the worker
 * serves whoever has asked meanwhile.
 */
import type { Turn } from '../lib/waf-tools.ts'
import { clock, monotonic } from './clock.ts'
import { mayBePast, threadTime } from './thread-time.ts'

/**
 * The shortest pause, in seconds. nginx's timers count in ms; one of less that is set by another timer is up at once, before
 * nginx looks at any connection.
 */
const shortest = 0.001

/** CPU seconds of the first slice, in which an ordinary form of 10 KB is done. */
const firstSlice = 0.0005
/** Of each that follows: the shortest, while few requests go on in slices, and the longest, when many do. */
const [shortSlice, longSlice] = [0.00025, 0.002]
/** Seconds that those who wait have to wait for each second of a slice: the more there are, the longer each may go on. */
const waitingOfSlice = 8
/** Seconds that nobody waits longer than. */
const waitingMax = 1

/**
 * Seconds that work of many parts pauses in all. On a worker that is never idle each pause is long, and the agent, which
 * waits for the work, gives up after fifteen seconds and begins anew.
 */
const pausedMax = 5

/** For work of many small parts: what it gives is called after each, and has others go first where they have waited for long. */
export function pauses(): (this: void) => void {
  let began = clock(monotonic)
  let paused = 0
  return () => {
    const now = clock(monotonic)
    if (now - began < longSlice || paused > pausedMax) return
    ngx.sleep(shortest)
    began = clock(monotonic)
    paused += began - now
  }
}

/** When the next slice may begin, by the monotonic clock: one in a turn of the worker. */
let next = 0

/**
 * A request's share of the worker from now on: so many CPU seconds, in slices of `slice` at least, of which the first may
 * be longer. Not where nginx cannot wait (filters).
 */
export function beginTurn(seconds: number, slice = shortSlice): Turn {
  const began = threadTime()
  const first = math.min(seconds, math.max(firstSlice, slice))
  return { until: began + seconds, sliceEnd: began + first, slice, began, ofOthers: 0 }
}

/** Whether a request has had its share. Waits where only its slice is over, unless that would take too long. */
export function isOver(turn: Turn): boolean {
  if (!mayBePast(turn.sliceEnd)) return false
  const time = threadTime()
  if (time <= turn.sliceEnd) return false
  return time > turn.until || !waitFor(turn, time)
}

/** Waits for the next slice; false where too many wait already. */
function waitFor(turn: Turn, time: number): boolean {
  const now = clock(monotonic)
  const at = math.max(now + shortest, next)
  if (at - now > waitingMax) return false
  next = at + shortest
  ngx.sleep(at - now)
  const after = threadTime()
  const ofOthers = after - time
  turn.ofOthers += ofOthers
  turn.until += ofOthers
  const ofWaiting = math.min(longSlice, (at - now) / waitingOfSlice)
  turn.sliceEnd = math.min(turn.until, after + math.max(turn.slice, ofWaiting))
  return true
}

/** CPU seconds that a request has taken of its own. */
export const takenIn = ({ began, ofOthers }: Turn): number => threadTime() - began - ofOthers
