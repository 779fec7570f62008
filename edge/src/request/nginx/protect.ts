/** Runs a phase so that an error in it never becomes nginx's own error page. */

import { noteError } from '../memory/vitals.ts'

const call = pcall as unknown as (this: void, run: (this: void) => void) => LuaMultiReturn<[boolean, unknown]>

/** The text of whatever was thrown. */
export function messageOf(problem: unknown): string {
  return type(problem) === 'table' ? `${(problem as { message?: string }).message}` : tostring(problem)
}

/**
 * Throws a text. What leaves a phase must be one: nginx writes it to the error log, and of an Error only "unknown reason".
 */
export function raise(message: string): never {
  return error(message, 0)
}

/** Runs; where that fails it says so in the error log and runs `otherwise`. */
export function protectedRun(phase: string, run: (this: void) => void, otherwise?: (this: void) => void): void {
  const [ok, problem] = call(run)
  if (ok) return
  noteError()
  ngx.log(ngx.ERR, phase, ' failed: ', messageOf(problem))
  if (otherwise !== undefined) call(otherwise)
}
