/**
 * Work for one request that takes longer than others should wait: it runs in slices, and between two slices the worker
 * serves other requests.
 */
import type { Turn } from '../lib/waf-tools.ts'
import { clock, monotonic } from './clock.ts'
import { mayBePast, threadTime } from './thread-time.ts'

/**
 * The shortest pause, in seconds. nginx's timers count in ms; a shorter one set by another timer expires at once,
 * before nginx checks any connection.
 */
const shortest = 0.001

/** CPU seconds of the first slice, enough for an ordinary form of 10 KB. */
const firstSlice = 0.0005
/**
 * CPU seconds of each following slice: the shortest, while few requests run in slices, and the longest, when many do.
 */
const [shortSlice, longSlice] = [0.00025, 0.002]
/** Seconds of waiting per second of a slice: the more requests wait, the longer each slice may be. */
const waitingOfSlice = 8
/** Seconds that a request waits at most. */
const waitingMax = 1

/**
 * Seconds that work of many parts pauses in total. On a worker that is never idle each pause is long, and the agent,
 * which waits for the work, gives up after fifteen seconds and starts again.
 */
const pausedMax = 5

/**
 * For work of many small parts: call the returned function after each part. It lets other requests run if they have
 * waited long.
 */
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

/** When the next slice may begin, by the monotonic clock: one per turn of the worker. */
let next = 0

/**
 * A request's share of the worker from now on: `seconds` of CPU time, in slices of at least `slice`, the first of which
 * may be longer. Not for filter phases, where nginx cannot wait.
 */
export function beginTurn(seconds: number, slice = shortSlice): Turn {
  const began = threadTime()
  const first = math.min(seconds, math.max(firstSlice, slice))
  return { until: began + seconds, sliceEnd: began + first, slice, began, ofOthers: 0 }
}

/**
 * Whether a request has used up its share. If only its slice is over, waits for the next one, unless that would take
 * too long.
 */
export function isOver(turn: Turn): boolean {
  if (!mayBePast(turn.sliceEnd)) return false
  const time = threadTime()
  if (time <= turn.sliceEnd) return false
  return time > turn.until || !waitFor(turn, time)
}

/** Waits for the next slice. Returns false if too many requests are already waiting. */
function waitFor(turn: Turn, time: number): boolean {
  const now = clock(monotonic)
  const at = math.max(now + shortest, next)
  if (at - now > waitingMax) return false
  next = at + shortest
  // Rounding may make the difference a little shorter than a millisecond, which nginx would take for 0.
  ngx.sleep(math.max(shortest, at - now))
  const after = threadTime()
  const ofOthers = after - time
  turn.ofOthers += ofOthers
  turn.until += ofOthers
  const ofWaiting = math.min(longSlice, (at - now) / waitingOfSlice)
  turn.sliceEnd = math.min(turn.until, after + math.max(turn.slice, ofWaiting))
  return true
}

/** CPU seconds that the request itself has used. */
export const takenIn = ({ began, ofOthers }: Turn): number => threadTime() - began - ofOthers
