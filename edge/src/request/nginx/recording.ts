/**
 * Keeps LuaJIT's trace recordings complete. An error during a recording aborts it, and so does a finalizer that the
 * collector calls (of a removed site, with its expressions and mapped lists). LuaJIT does not retry a trace that is
 * stitched behind a call it does not compile (`trace_abort` in lj_trace.c): the worker would interpret that code for as
 * long as it lives.
 *
 * A side exit that cannot be compiled is meant to lead to the interpreter after four tries. If the parent trace's
 * registers are such that not even this stub can be assembled (`asm_head_side` in lj_asm.c), each pass is another try,
 * for as long as that trace lives. When recorded anew, it has other values in registers. The same applies to a stitched
 * trace that has too many live values to be assembled: which branches it contains depends on what came first.
 */

import { traceerr } from 'jit.vmdef'

type Listener = (
  this: void,
  event: string,
  trace: number,
  func: unknown,
  at: number,
  from: unknown,
  exit: unknown,
) => void

/** Seconds between two flushes of all traces, which take some milliseconds each. */
const flushEvery = 60

/** LuaJIT normally gives up an exit after half as many tries. */
const triesMax = 10

/**
 * A worker that runs out of spill slots again and again has code that can never be assembled: recording it anew does
 * not help.
 */
const spillsMax = 5
const thrown = 0
const spilled = traceerr.indexOf('too many spill slots') + 1

let spills = 0
let isBehindCall = false
let wasLost = false
/** The side exit being recorded from, and the number of failed tries per exit, as `trace * exitsMax + exit`. */
let recorded = 0
let tries: Record<number, number | undefined> = {}
const exitsMax = 65_536
let flushedAt = -flushEvery

export function watchRecordings(): void {
  // Leaving compiled code during an event overwrites the point from which the new trace continues (`J->exitno`,
  // lj_trace.c).
  jit.off(onTrace as never)
  jit.off(countTry as never)
  jit.attach(onTrace, 'trace')
}

/**
 * Stops the collector during a recording, which takes a fraction of a millisecond: little garbage is left uncollected.
 */
const onTrace: Listener = (event, _trace, _func, _at, from, exit) => {
  if (event === 'start') {
    isBehindCall = exit === -1
    recorded = typeof exit === 'number' && !isBehindCall ? (from as number) * exitsMax + exit : 0
    collectgarbage('stop')
    return
  }
  collectgarbage('restart')
  if (event === 'flush') tries = {}
  if (event !== 'abort') return
  // Other errors would occur again.
  if (isBehindCall && (from === thrown || (from === spilled && spills++ < spillsMax))) wasLost = true
  if (recorded > 0 && countTry() > triesMax) wasLost = true
}

function countTry(): number {
  const count = (tries[recorded] ?? 0) + 1
  tries[recorded] = count
  return count
}

/** Run periodically. Flushes all traces if one was lost: they are recorded again as they are used. */
export function recordLostTraces(): void {
  if (!wasLost || ngx.now() < flushedAt + flushEvery) return
  wasLost = false
  flushedAt = ngx.now()
  jit.flush()
}
