/**
 * Keeps LuaJIT's recordings whole. What throws while a piece is recorded ends the recording, and so does a finalizer that
 * the collector calls (of a site that went, with its expressions and mapped lists). Of a piece behind a call that is not
 * compiled, LuaJIT makes no second try (`trace_abort` in lj_trace.c): the worker would interpret it for as long as it lives.
 */

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

let isBehindCall = false
let wasLost = false
let flushedAt = -flushEvery

export function watchRecordings(): void {
  jit.attach(onTrace, 'trace')
}

/** The collector waits: a recording takes a fraction of a millisecond, in which little is left to collect. */
const onTrace: Listener = (event, _trace, _func, _at, from, exit) => {
  if (event === 'start') {
    isBehindCall = exit === -1
    collectgarbage('stop')
    return
  }
  collectgarbage('restart')
  // Error 0 is "error thrown or hook called during recording". Others would come again.
  if (event === 'abort' && isBehindCall && from === 0) wasLost = true
}

/** Run now and then. Throws all compiled pieces away where one was lost: they are recorded again as they are used. */
export function recordLostPieces(): void {
  if (!wasLost || ngx.now() < flushedAt + flushEvery) return
  wasLost = false
  flushedAt = ngx.now()
  jit.flush()
}
