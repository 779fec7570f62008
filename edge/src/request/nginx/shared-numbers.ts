/**
 * Reads numbers from nginx's shared memory by one call of the Lua module. `ngx.shared.DICT:get` is for values of every
 * type: where it stands in a long piece, LuaJIT may lack the registers for a way out of it, and tries again each time.
 */
import * as ffi from 'ffi'

/** ngx_http_lua_value_type of the Lua module, as `ngx.shared.DICT:get` has it. */
const isNumber = 3

const valueType = ffi.new('int[1]')
const stringValue = ffi.new('unsigned char *[1]')
const stringLength = ffi.new('size_t[1]')
const numberValue = ffi.new('double[1]')
const userFlags = ffi.new('int[1]')
const isStale = ffi.new('int[1]')
const problem = ffi.new('char *[1]')

/** What reads the numbers of a dictionary by their keys; nothing for a key that is not there or has expired. */
export function numbersOf(dict: SharedDict): (this: void, key: string) => number | undefined {
  const zone = ffi.C.ngx_http_lua_ffi_shdict_udata_to_zone!((dict as unknown as [unknown])[0])
  return (key) => {
    const get = ffi.C.ngx_http_lua_ffi_shdict_get!
    // biome-ignore format: as the module declares it.
    const outcome = get(zone, key, key.length, valueType, stringValue, stringLength, numberValue, userFlags, 0, isStale, problem)
    if (outcome !== 0 || valueType[0] !== isNumber) return undefined
    return numberValue[0]
  }
}
