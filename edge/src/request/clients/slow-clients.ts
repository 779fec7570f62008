/**
 * Closes the connections of clients below the minimum rate, in both directions. Every request that takes longer than a
 * few seconds is checked every few seconds. WebSockets, event streams and long polls wait for no bytes of the client,
 * so they are safe.
 */
import * as ffi from 'ffi'
import { isTooSlow, lookEvery, type Pace, slowBodyLooks, slowReaderLooks, type Waiting } from '../lib/min-rate.ts'
import { bodies, liveRequests } from '../nginx/live-requests.ts'
import { clientSocket, cutOff, isOriginSlow, sending, sentBytes, unread } from '../nginx/sockets.ts'

/** Requests that one turn of the timer checks: even ten thousand slow ones must not occupy the worker for long. */
const perTurn = 500

type Watched = {
  since: number
  body: Pace | undefined
  reader: Pace
  /** Measured by the bytes of one stream: an HTTP/2 client can hold back a response without the kernel noticing. */
  stream: Pace | undefined
  /** Whether bytes were waiting for the reader at the last check. */
  hadWaiting: boolean
}

let watched: Record<number, Watched> = {}
let queue: number[] = []
let place = 0
let roundAt = 0

/** Checks the next few requests. Called by a timer several times per second. */
export function checkSlowClients(): void {
  const now = ngx.now()
  if (place >= queue.length) {
    if (now - roundAt < lookEvery) return
    beginRound(now)
  }
  for (let n = 0; n < perTurn && place < queue.length; n++) {
    const key = queue[place]!
    place++
    const since = liveRequests()[key]
    if (since !== undefined && now - since >= lookEvery) look(key, since, now)
  }
}

/** Collects requests that are old enough, and forgets those that have ended. */
function beginRound(now: number): void {
  roundAt = now
  place = 0
  queue = []
  const kept: typeof watched = {}
  const live = liveRequests()
  for (const [key, since] of pairs(live)) {
    if (since === undefined || now - since < lookEvery) continue
    queue.push(key)
    const known = watched[key]
    if (known !== undefined && known.since === since) kept[key] = known
  }
  watched = kept
  for (const [key, { since }] of pairs(bodies)) if (live[key] !== since) delete bodies[key]
}

function look(key: number, since: number, now: number): void {
  const fd = clientSocket(key)
  if (fd === undefined) return
  const known = watched[key]
  if (known === undefined) {
    watched[key] = begin(key, since, now, fd)
    return
  }
  if (isSlowBody(known, key, now, fd) || isSlowReader(known, now, fd) || isSlowStream(known, key, now)) cutOff(fd)
}

function begin(key: number, since: number, now: number, fd: number): Watched {
  const acked = sending(fd)
  const made: Watched = {
    since,
    body: bodies[key] === undefined ? undefined : { at: since, bytes: 0, slow: 0 },
    reader: { at: now, bytes: acked?.acked ?? 0, slow: 0 },
    stream: variableOf(key, 'server_protocol') === 'HTTP/2.0' ? { at: now, bytes: sentBytes(key), slow: 0 } : undefined,
    hadWaiting: acked !== undefined && acked.waiting > 0,
  }
  isSlowBody(made, key, now, fd)
  return made
}

function isSlowBody(known: Watched, key: number, now: number, fd: number): boolean {
  const start = bodies[key]
  if (known.body === undefined || start === undefined || start.since !== known.since) return false
  const read = (tonumber(variableOf(key, 'request_length')) ?? 0) - start.head
  let waiting: Waiting = start.length < 0 ? 'unknown' : read < start.length ? 'yes' : 'no'
  if (waiting !== 'no' && (unread(fd) > 0 || isOriginSlow(key))) waiting = 'no'
  if (isTooSlow(known.body, now, read, waiting, slowBodyLooks)) return true
  if (start.length >= 0 && read >= start.length) known.body = undefined
  return false
}

/** Bytes were waiting in the kernel at this check and the last, and few got through: the client does not read. */
function isSlowReader(known: Watched, now: number, fd: number): boolean {
  const found = sending(fd)
  if (found === undefined) return false
  const isWaiting = known.hadWaiting && found.waiting > 0
  known.hadWaiting = found.waiting > 0
  return isTooSlow(known.reader, now, found.acked, isWaiting ? 'yes' : 'no', slowReaderLooks)
}

/** A response that can only be waiting for its client: it comes from the cache, or the origin has finished. */
function isSlowStream(known: Watched, key: number, now: number): boolean {
  const { stream } = known
  if (stream === undefined) return false
  const sent = sentBytes(key)
  const isWaiting = sent > 0 && isAnswered(key)
  return isTooSlow(stream, now, sent, isWaiting ? 'yes' : 'no', slowReaderLooks)
}

function isAnswered(key: number): boolean {
  if (variableOf(key, 'upstream_cache_status') === 'HIT') return true
  const seconds = variableOf(key, 'upstream_response_time')
  return seconds !== undefined && seconds !== '' && !seconds.endsWith('-')
}

const value = ffi.new('char *[1]')
const valueLength = ffi.new('size_t[1]')
const problem = ffi.new('char *[1]')
const lowered = ffi.new('char[64]')

/** A variable of a request other than the current one. */
function variableOf(key: number, name: string): string | undefined {
  const request = ffi.cast('ngx_http_request_t *', key)
  const code = ffi.C.ngx_http_lua_ffi_var_get!(request, name, name.length, lowered, 0, value, valueLength, problem)
  return code === 0 ? ffi.string(value[0], tonumber(valueLength[0])) : undefined
}
