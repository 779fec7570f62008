/** Measures and sets nginx's variables without creating a Lua string first, which would be garbage at once. */
import * as ffi from 'ffi'
import { get_request } from 'resty.core.base'
import { raise } from './raise.ts'

const valueMax = 8192
const value = ffi.new('unsigned char[?]', valueMax)
const nameMax = 64
const problemMax = 256
/** Scratch space for nginx: the lower-case name, then the error message. */
const scratch = ffi.new('unsigned char[?]', nameMax + problemMax)
const problem = scratch + nameMax
const problemLength = ffi.new('size_t[1]')

const found = ffi.new('char *[1]')
const foundLength = ffi.new('size_t[1]')
const failure = ffi.new('char *[1]')

/** The bytes of a variable; 0 if it is not there. `name` is in lower case. */
export function lengthOf(name: string): number {
  const code = ffi.C.ngx_http_lua_ffi_var_get!(
    get_request(),
    name,
    name.length,
    scratch,
    0,
    found,
    foundLength,
    failure,
  ) as number
  return code === 0 ? tonumber(foundLength[0])! : 0
}

/** Sets a variable to three concatenated texts. Throws if nginx refuses it. */
export function setJoined(name: string, first: string, second: string, third: string): void {
  const length = first.length + second.length + third.length
  if (length > valueMax || name.length > nameMax) {
    ngx.var[name] = first + second + third
    return
  }
  ffi.copy(value, first, first.length)
  ffi.copy(value + first.length, second, second.length)
  ffi.copy(value + (first.length + second.length), third, third.length)
  setBytes(name, value, length)
}

/** Sets a variable to the bytes of a C buffer. Throws if nginx refuses it. */
export function setBytes(name: string, bytes: unknown, length: number): void {
  problemLength[0] = problemMax
  const code = ffi.C.ngx_http_lua_ffi_var_set!(
    get_request(),
    name,
    name.length,
    scratch,
    bytes,
    length,
    problem,
    problemLength,
  ) as number
  if (code !== 0) raise(`${name}: ${ffi.string(problem, problemLength[0])}`)
}
