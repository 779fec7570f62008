/**
 * Keeps LuaJIT's recordings whole. What throws while a piece is recorded ends the recording, and so does a finalizer that
 * the collector calls (of a site that went, with its expressions and mapped lists). Of a piece behind a call that is not
 * compiled, LuaJIT makes no second try (`trace_abort` in lj_trace.c): the worker would interpret it for as long as it lives.
 *
 * An exit that cannot be compiled is to lead to the interpreter after four tries. Where the values of the piece before it
 * stand so that even this way cannot be assembled (`asm_head_side` in lj_asm.c), each passage is one more try, for as long
 * as that piece lives. Recorded anew, it has other values at hand. The same holds for a piece behind a call that has too
 * many values at hand to be assembled: which branches it took in is a matter of what came first.
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

/** Seconds between two times that all pieces are recorded anew, which takes some milliseconds. */
const flushEvery = 60

/** LuaJIT has given up an exit after half as many tries. */
const triesMax = 10

/** A worker that spills again and again has code that is never assembled: recording it anew is of no use. */
const spillsMax = 5
const thrown = 0
const spilled = traceerr.indexOf('too many spill slots') + 1

let spills = 0
let isBehindCall = false
let wasLost = false
/** The exit that is recorded from, and how often that ended in nothing by exit: `piece * exitsMax + exit`. */
let recorded = 0
let tries: Record<number, number | undefined> = {}
const exitsMax = 65_536
let flushedAt = -flushEvery

export function watchRecordings(): void {
  // Compiled code that is left within an event overwrites from where the new piece continues (`J->exitno`, lj_trace.c).
  jit.off(onTrace as never)
  jit.off(countTry as never)
  jit.attach(onTrace, 'trace')
}

/** The collector waits: a recording takes a fraction of a millisecond, in which little is left to collect. */
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
  // Other errors would come again.
  if (isBehindCall && (from === thrown || (from === spilled && spills++ < spillsMax))) wasLost = true
  if (recorded > 0 && countTry() > triesMax) wasLost = true
}

function countTry(): number {
  const count = (tries[recorded] ?? 0) + 1
  tries[recorded] = count
  return count
}

/** Run now and then. Throws all compiled pieces away where one was lost: they are recorded again as they are used. */
export function recordLostPieces(): void {
  if (!wasLost || ngx.now() < flushedAt + flushEvery) return
  wasLost = false
  flushedAt = ngx.now()
  jit.flush()
}
