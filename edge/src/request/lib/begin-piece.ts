/** Of Lua; in Node, where the guards run in tests, there is none. */
declare const coroutine: { running: (this: void) => unknown } | undefined

/**
 * Bounds what LuaJIT compiles as one piece: a call that it does not compile, and goes on behind in the next piece (trace
 * stitching). `coroutine.running` is the cheapest. Needed where a piece would have too many values at hand ("too many spill
 * slots"), or a branch that many requests take would lead out of such a piece ("register coalescing too complex").
 */
export const beginPiece: (this: void) => unknown =
  typeof coroutine === 'undefined' ? () => undefined : coroutine.running
