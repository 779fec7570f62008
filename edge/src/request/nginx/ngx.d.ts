/** The part of nginx's Lua API, LuaJIT's FFI and cjson that the request path uses. */

/** A shared dictionary: the only memory that workers have in common. */
interface SharedDict {
  get(this: SharedDict, key: string): LuaMultiReturn<[string | number | undefined, number | undefined]>
  set(
    this: SharedDict,
    key: string,
    value: string | number | boolean | undefined,
    ttlSeconds?: number,
    flags?: number,
  ): LuaMultiReturn<[boolean, string | undefined, boolean]>
  safe_set(
    this: SharedDict,
    key: string,
    value: string | number,
    ttlSeconds?: number,
    flags?: number,
  ): LuaMultiReturn<[boolean | undefined, string | undefined]>
  add(
    this: SharedDict,
    key: string,
    value: string | number | boolean,
    ttlSeconds?: number,
  ): LuaMultiReturn<[boolean, string | undefined]>
  incr(
    this: SharedDict,
    key: string,
    by: number,
    init?: number,
    initTtlSeconds?: number,
  ): LuaMultiReturn<[number | undefined, string | undefined]>
  delete(this: SharedDict, key: string): void
  get_keys(this: SharedDict, max: number): string[]
  free_space(this: SharedDict): number
  flush_all(this: SharedDict): void
}

interface UdpSocket {
  setpeername(this: UdpSocket, host: string, port: number): LuaMultiReturn<[number | undefined, string | undefined]>
  send(this: UdpSocket, data: string): LuaMultiReturn<[number | undefined, string | undefined]>
  receive(this: UdpSocket, size?: number): LuaMultiReturn<[string | undefined, string | undefined]>
  settimeout(this: UdpSocket, ms: number): void
  close(this: UdpSocket): void
}

/** @noSelf */
declare namespace ngx {
  const variables: Record<string, string | number | undefined>

  export { variables as var }
  export const shared: Record<string, SharedDict>
  export const header: Record<string, string | string[] | undefined>
  export let ctx: object
  export let status: number
  export let is_subrequest: boolean
  export const INFO: number
  export const WARN: number
  export const ERR: number
  /** What ends a phase as failed. */
  export const ERROR: number
  export function now(): number
  export function time(): number
  export function update_time(): void
  export function http_time(seconds: number): string
  export function parse_http_time(text: string): number | undefined
  export function log(level: number, ...values: unknown[]): void
  export function exit(status: number): void
  export function exec(location: string, args?: string): void
  export function redirect(uri: string, status?: number): void
  /** Pieces are sent as they are, without being joined in Lua. */
  export function print(value: string | string[]): void
  export function say(...values: string[]): void
  export function md5(text: string): string
  export function crc32_long(text: string): number
  /** Goes on after so many seconds; with 0 in the worker's next turn. */
  export function sleep(seconds: number): void
  export function encode_base64(text: string, noPadding?: boolean): string
  export function decode_base64(text: string): string | undefined
  export function get_phase(): string
  export function escape_uri(text: string): string
  export function unescape_uri(text: string): string
  export namespace req {
    export function get_method(): string
    export function get_headers(max?: number, raw?: boolean): Record<string, string | string[] | undefined>
    export function get_uri_args(max?: number): Record<string, string | boolean | (string | boolean)[] | undefined>
    export function set_header(name: string, value: string | undefined): void
    export function clear_header(name: string): void
    export function set_uri(uri: string, jump?: boolean, binary?: boolean): void
    export function read_body(): void
    export function get_body_data(max?: number): string | undefined
    export function get_body_file(): string | undefined
    export function start_time(): number
    export function http_version(): number | undefined
  }
  export namespace resp {
    export function get_headers(max?: number, raw?: boolean): Record<string, string | string[] | undefined>
  }
  export namespace worker {
    export function id(): number | undefined
    export function pid(): number
    export function count(): number
    export function exiting(): boolean
  }
  export namespace timer {
    export function every(
      seconds: number,
      run: (this: void, premature: boolean) => void,
    ): LuaMultiReturn<[unknown, string?]>
    export function at(
      seconds: number,
      run: (this: void, premature: boolean) => void,
    ): LuaMultiReturn<[unknown, string?]>
  }
  export namespace socket {
    export function udp(): UdpSocket
  }
}

/** @noSelf */
declare module 'cjson.safe' {
  export function decode(text: string): LuaMultiReturn<[unknown, string | undefined]>
  export function encode(value: unknown): string
  const nothing: unknown

  export { nothing as null }
}

/** @noSelf */
declare module 'ngx.base64' {
  export function encode_base64url(bytes: string): string
}

/** @noSelf */
declare module 'ngx.balancer' {
  export function set_current_peer(
    host: string,
    port: number,
  ): LuaMultiReturn<[boolean | undefined, string | undefined]>
  export function set_more_tries(count: number): LuaMultiReturn<[boolean | undefined, string | undefined]>
  export function set_timeouts(connect: number | undefined, send: number | undefined, read: number | undefined): void
  export function get_last_failure(): LuaMultiReturn<[string | undefined, number | undefined]>
}

/** @noSelf */
declare module 'ngx.ssl.clienthello' {
  export function get_client_hello_server_name(): LuaMultiReturn<[string | undefined, string | undefined]>
}

/** @noSelf */
declare module 'resty.core.base' {
  export function get_request(): object
}

/** @noSelf */
declare module 'resty.core.regex' {
  export function re_match_compile(source: string, options: string): LuaMultiReturn<[unknown, unknown, number]>
  export function destroy_compiled_regex(compiled: unknown): void
}
