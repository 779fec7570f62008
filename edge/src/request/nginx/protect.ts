/** Runs a phase in a way that an error in it never leads to nginx's own error page. */

import { noteError } from '../memory/vitals.ts'
import { messageOf } from './raise.ts'

const call = pcall as unknown as (this: void, run: (this: void) => void) => LuaMultiReturn<[boolean, unknown]>

/** Runs a function. If it fails, logs the error and runs `otherwise`. */
export function protectedRun(phase: string, run: (this: void) => void, otherwise?: (this: void) => void): void {
  const [ok, problem] = call(run)
  if (ok) return
  noteError()
  ngx.log(ngx.ERR, phase, ' failed: ', messageOf(problem))
  if (otherwise !== undefined) call(otherwise)
}
