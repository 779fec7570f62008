/** The part of nginx's Lua API, LuaJIT's FFI and cjson that the request path uses. */

/** A shared dictionary: the only memory that workers share. */
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
  safe_add(
    this: SharedDict,
    key: string,
    value: string | number,
    ttlSeconds?: number,
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
  llen(this: SharedDict, key: string): LuaMultiReturn<[number | undefined, string | undefined]>
  lpush(this: SharedDict, key: string, value: string): LuaMultiReturn<[number | undefined, string | undefined]>
  rpop(this: SharedDict, key: string): LuaMultiReturn<[string | number | undefined, string | undefined]>
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

interface TcpSocket {
  settimeouts(this: TcpSocket, connectMs: number, sendMs: number, readMs: number): void
  connect(
    this: TcpSocket,
    host: string,
    port?: number,
    options?: { pool: string; pool_size?: number },
  ): LuaMultiReturn<[number | undefined, string | undefined]>
  /** Returns the session, or if `session` is false, whether there is one. */
  sslhandshake(
    this: TcpSocket,
    session: false | undefined,
    name: string,
    verify: boolean,
  ): LuaMultiReturn<[unknown, string | undefined]>
  setclientcert(this: TcpSocket, chain: object, key: object): LuaMultiReturn<[boolean | undefined, string | undefined]>
  /** How often the connection came from the keepalive pool. */
  getreusedtimes(this: TcpSocket): LuaMultiReturn<[number | undefined, string | undefined]>
  setkeepalive(this: TcpSocket, idleMs: number, size: number): LuaMultiReturn<[number | undefined, string | undefined]>
  send(this: TcpSocket, data: string): LuaMultiReturn<[number | undefined, string | undefined]>
  receive(this: TcpSocket, pattern: string): LuaMultiReturn<[string | undefined, string | undefined]>
  /** Returns whatever has arrived, at most `max` bytes. */
  receiveany(this: TcpSocket, max: number): LuaMultiReturn<[string | undefined, string | undefined]>
  close(this: TcpSocket): void
}

/** @noSelf */
declare namespace ngx {
  const variables: Record<string, string | number | undefined>

  export { variables as var }
  export const shared: Record<string, SharedDict>
  export const header: Record<string, string | string[] | undefined>
  export let ctx: object
  /** In a body filter: the piece, and whether it is the last. */
  export const arg: [string | undefined, boolean]
  export let status: number
  export let is_subrequest: boolean
  export const INFO: number
  export const WARN: number
  export const ERR: number
  /** Ends a phase as failed. */
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
  /** Pieces are sent one by one, without being joined in Lua. */
  export function print(value: string | string[]): void
  /** True once everything is sent; undefined if the client is gone. */
  export function flush(wait: boolean): LuaMultiReturn<[number | undefined, string?]>
  export function say(...values: string[]): void
  export function md5(text: string): string
  export function crc32_long(text: string): number
  /**
   * Continues after `seconds`, counted in ms. With less than one ms, it continues after what is already ready, and
   * before nginx checks connections again.
   */
  export function sleep(seconds: number): void
  export function encode_base64(text: string, noPadding?: boolean): string
  export function decode_base64(text: string): string | undefined
  /**
   * Runs a module's function in a thread of the pool, in its own Lua VM, and waits until it has ended. Values are copied:
   * strings, numbers, booleans and tables of these.
   */
  export function run_worker_thread(
    pool: string,
    module: string,
    name: string,
    ...values: unknown[]
  ): LuaMultiReturn<[boolean, unknown]>
  export function get_phase(): string
  export function escape_uri(text: string): string
  export function unescape_uri(text: string): string
  export namespace req {
    export function get_method(): string
    export function get_headers(max?: number, raw?: boolean): Record<string, string | string[] | undefined>
    export function get_uri_args(max?: number): Record<string, string | boolean | (string | boolean)[] | undefined>
    export function set_header(name: string, value: string | undefined): void
    export function clear_header(name: string): void
    export function set_uri_args(args: string): void
    export function set_uri(uri: string, jump?: boolean, binary?: boolean): void
    export function read_body(): void
    export function get_body_data(max?: number): string | undefined
    export function get_body_file(): string | undefined
    export function start_time(): number
    export function raw_header(): string
    /** The client's raw connection: nginx no longer parses anything on it. */
    export function socket(raw: true): LuaMultiReturn<[TcpSocket | undefined, string | undefined]>
    export function http_version(): number | undefined
  }
  export namespace re {
    /** The groups by number; false for a group that did not match. */
    export function match(
      subject: string,
      regex: string,
      options?: string,
    ): LuaMultiReturn<[Record<number, string | false> | undefined, string | undefined]>
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
  export namespace thread {
    export function spawn(run: (this: void) => void): object
    export function kill(thread: object): void
    export function wait(thread: object): LuaMultiReturn<[boolean, unknown]>
  }
  export namespace socket {
    export function udp(): UdpSocket
    export function tcp(): TcpSocket
  }
}

/** @noSelf */
declare module 'cjson.safe' {
  export function decode(text: string): LuaMultiReturn<[unknown, string | undefined]>
  export function encode(value: unknown): string
  const nothing: unknown

  export interface Reader {
    decode(this: void, text: string): LuaMultiReturn<[unknown, string | undefined]>
    decode_invalid_numbers(this: void, isTaken: boolean): void
    decode_max_depth(this: void, depth: number): void
  }

  export { make as new, nothing as null }

  /** @noSelf */
  function make(): Reader
}

/** @noSelf */
declare module 'ngx.semaphore' {
  export interface Semaphore {
    post(this: Semaphore, count?: number): void
    /** False if nobody posted within `seconds`. */
    wait(this: Semaphore, seconds: number): LuaMultiReturn<[boolean | undefined, string | undefined]>
  }

  export { make as new }

  /** @noSelf */
  function make(count: number): LuaMultiReturn<[Semaphore | undefined, string | undefined]>
}

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
  export function set_protocols(versions: string[]): LuaMultiReturn<[boolean | undefined, string | undefined]>
}

/** Certificates and keys are foreign pointers, freed with the value. @noSelf */
declare module 'ngx.ssl' {
  export function server_name(): LuaMultiReturn<[string | undefined, string | undefined]>
  export function raw_client_addr(): LuaMultiReturn<[string | undefined, string | undefined]>
  /** Missing in Debian 12's version. */
  export const get_req_ssl_pointer:
    | ((this: void) => LuaMultiReturn<[object | undefined, string | undefined]>)
    | undefined
  export function clear_certs(): LuaMultiReturn<[boolean | undefined, string | undefined]>
  export function parse_pem_cert(pem: string): LuaMultiReturn<[object | undefined, string | undefined]>
  export function parse_pem_priv_key(pem: string): LuaMultiReturn<[object | undefined, string | undefined]>
  export function set_cert(chain: object): LuaMultiReturn<[boolean | undefined, string | undefined]>
  export function set_priv_key(key: object): LuaMultiReturn<[boolean | undefined, string | undefined]>
}

/** @noSelf */
declare module 'resty.core.base' {
  export function get_request(): object
}

/** LuaJIT's compiler events (lj_vmevent.h, lj_trace.c); the published types lack them. */
declare namespace jit {
  /**
   * After `start`, `from` and `exit` are the parent trace and its exit, -1 for a stitched trace; after `abort`, `from`
   * is the error.
   */
  function attach(
    listener: (
      this: void,
      event: 'start' | 'stop' | 'abort' | 'flush',
      trace: number,
      func: unknown,
      at: number,
      from: unknown,
      exit: unknown,
    ) => void,
    events: 'trace',
  ): void
}

declare module 'jit.vmdef' {
  /**
   * Why a recording ended, by error number. Error 0, which a Lua list cannot hold, is "error thrown or hook called
   * during recording".
   */
  export const traceerr: string[]
}

/** @noSelf */
declare module 'resty.core.regex' {
  export function re_match_compile(source: string, options: string): LuaMultiReturn<[unknown, unknown, number]>
  export function destroy_compiled_regex(compiled: unknown): void
}
