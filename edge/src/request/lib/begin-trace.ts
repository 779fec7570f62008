/** From Lua; absent in Node, where the guards run in tests. */
declare const coroutine: { running: (this: void) => unknown } | undefined

/**
 * Ends the current trace by calling a function that LuaJIT does not compile: it continues in a new trace after the call
 * (trace stitching). `coroutine.running` is the cheapest such call. Needed where a trace would have too many live
 * values ("too many spill slots"), or where a side exit that many requests take could not be compiled ("register
 * coalescing too complex").
 */
export const beginTrace: (this: void) => unknown =
  typeof coroutine === 'undefined' ? () => undefined : coroutine.running
