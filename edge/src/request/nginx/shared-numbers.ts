/**
 * Reads numbers from nginx's shared memory with a single call of the Lua module. `ngx.shared.DICT:get` handles values
 * of every type: in a long trace, LuaJIT may lack the registers for a side exit from it, and tries again each time.
 */
import * as ffi from 'ffi'

/** ngx_http_lua_value_type of the Lua module, as in `ngx.shared.DICT:get`. */
const isNumber = 3

const valueType = ffi.new('int[1]')
const stringValue = ffi.new('unsigned char *[1]')
const stringLength = ffi.new('size_t[1]')
const numberValue = ffi.new('double[1]')
const userFlags = ffi.new('int[1]')
const isStale = ffi.new('int[1]')
const problem = ffi.new('char *[1]')

/** A reader of a dictionary's numbers by key. It returns undefined for a key that is missing or expired. */
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
