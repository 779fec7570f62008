/** LuaJIT's FFI, as far as it is used. C values have no type that TypeScript could check. */

/** @noSelf */
declare module 'ffi' {
  // biome-ignore lint/suspicious/noExplicitAny: a C value is whatever the declaration in cdef says.
  type CValue = any
  export function cdef(text: string): void
  /** @noSelf */
  export const C: Record<string, (...values: CValue[]) => CValue> & Record<'ngx_stat_active', CValue>
  export function cast(type: string, value: CValue): CValue
  export { make as new }

  function make(type: string, ...values: CValue[]): CValue
  export function string(value: CValue, length?: number): string
  export function copy(to: CValue, from: CValue, length?: number): void
  export function gc(value: CValue, free: CValue): CValue
  export function sizeof(type: string): number
  export function load(name: string): typeof C
}

/** @noSelf */
declare module 'bit' {
  export function band(...values: number[]): number
  export function bor(...values: number[]): number
  export function bxor(...values: number[]): number
  export function lshift(value: number, by: number): number
  export function rshift(value: number, by: number): number
  export function bnot(value: number): number
}

/** A string that grows in place. */
declare module 'string.buffer' {
  interface Buffer {
    put(...values: (string | number)[]): void
    /** Returns the content and empties the buffer. */
    get(): string
  }

  export { make as new }

  /** @noSelf */
  function make(): Buffer
}
