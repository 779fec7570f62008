/** Runs a phase in a way that an error in it never leads to nginx's own error page. */

import { noteError } from '../memory/vitals.ts'

const call = pcall as unknown as (this: void, run: (this: void) => void) => LuaMultiReturn<[boolean, unknown]>

/** The text of a thrown value. */
export function messageOf(problem: unknown): string {
  return type(problem) === 'table' ? `${(problem as { message?: string }).message}` : tostring(problem)
}

/**
 * Throws a string. What leaves a phase must be one: nginx writes it to the error log, but for an Error object only
 * "unknown reason".
 */
export function raise(message: string): never {
  return error(message, 0)
}

/** Runs a function. If it fails, logs the error and runs `otherwise`. */
export function protectedRun(phase: string, run: (this: void) => void, otherwise?: (this: void) => void): void {
  const [ok, problem] = call(run)
  if (ok) return
  noteError()
  ngx.log(ngx.ERR, phase, ' failed: ', messageOf(problem))
  if (otherwise !== undefined) call(otherwise)
}
