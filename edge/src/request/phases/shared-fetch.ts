/**
 * One fetch for all requests for an object that is not stored yet. The first request asks the origin. If the response
 * is stored, and another request waits or the body is large, it writes the response to a file; the others read that
 * file while it grows. nginx's own cache lock cannot do that: its waiters get nothing until the whole body is stored.
 */
import { decode, encode } from 'cjson.safe'
import * as ffi from 'ffi'
import {
  beginFetch,
  endFetch,
  endOf,
  fetchOf,
  giveUp,
  graceSeconds,
  isWaitedFor,
  setReadable,
  waitFor,
} from '../delivery/fetches.ts'
import { namesIn } from '../nginx/files.ts'
import { node } from '../nginx/node.ts'

ffi.cdef(`
long read(int fd, void *into, size_t count);
int unlink(const char *path);
`)

/** The state of the request that fetches. */
export type Fetch = {
  key: string
  id: string
  /** Descriptor of the file that the body is written to; undefined if no other request is to read it. */
  fd: number | undefined
  isWhole: boolean
  /** When the other requests were last told that it goes on, epoch seconds. */
  toldAt: number
}

/** A body of fewer bytes is written for others only if some are already waiting. */
const largeBytes = 1_000_000
/** Seconds that a request waits for the head of another's response before it asks the origin itself. */
const patience = 5
const waitSeconds = 0.02
const sayEverySeconds = 10

const pathOf = (id: string): string => `${node().folder}/tmp/fetch-${id}`

/**
 * Call before the origin is asked. Returns the fetch that this request leads, or undefined if it fetches for itself
 * only. Does not return if it reads another request's fetch.
 */
export function shareFetch(key: string | undefined): Fetch | undefined {
  const vars = ngx.var
  if (key === undefined || key === '' || ngx.req.get_method() !== 'GET' || vars.http_range !== undefined)
    return undefined
  const id = beginFetch(key)
  if (id !== undefined) return { key, id, fd: undefined, isWhole: false, toldAt: 0 }
  const readable = awaitHead(key)
  // O_RDONLY | O_CLOEXEC. The file is gone if the fetch ended long ago.
  const fd = readable === undefined ? -1 : (ffi.C.open!(pathOf(readable), 524288) as number)
  if (fd < 0) return undefined
  vars.bw_fetch = `${fd} ${readable}`
  ngx.exec('@shared')
  return undefined
}

/**
 * Waits for the head of another request's response. Returns the id of the fetch whose body can be read, or undefined.
 */
function awaitHead(key: string): string | undefined {
  let counted: string | undefined
  const end = ngx.now() + patience
  while (ngx.now() < end) {
    const state = fetchOf(key)
    if (state === undefined) return undefined
    if (state.isReadable) return state.id
    if (counted !== state.id) waitFor(state.id)
    counted = state.id
    ngx.sleep(waitSeconds)
  }
  return undefined
}

/**
 * The head of the response is known: decides whether other requests read its body. `isFresh`: others may use it without
 * revalidation. `isCompressed`: nginx compresses it.
 */
export function shareHead(fetch: Fetch, isFresh: boolean, isCompressed: boolean): void {
  const headers = ngx.resp.get_headers(100, true)
  const length = tonumber(headers['Content-Length'] ?? headers['content-length'])
  const isLarge = length === undefined || length >= largeBytes
  const isShared = isFresh && ngx.status === 200 && (isLarge || isWaitedFor(fetch.id))
  const fd = isShared ? create(pathOf(fetch.id)) : -1
  if (fd < 0) {
    giveUp(fetch.key, fetch.id)
    return
  }
  fetch.fd = fd
  for (const name of ['Connection', 'Transfer-Encoding', 'Keep-Alive', 'X-BW-Origin']) delete headers[name]
  write(fetch, `${encode({ headers, isCompressed })}\n`)
  tell(fetch)
}

/** Writes a piece of the body, before nginx compresses it. */
export function shareBody(fetch: Fetch, piece: string, isLast: boolean): void {
  if (fetch.fd === undefined) return
  if (piece !== '' && !write(fetch, piece)) {
    finish(fetch)
    return
  }
  fetch.isWhole = isLast
  if (isLast) finish(fetch)
  else if (ngx.now() - fetch.toldAt > sayEverySeconds) tell(fetch)
}

/** Call when the request that fetched has ended. */
export function endShared(fetch: Fetch): void {
  if (fetch.fd !== undefined) finish(fetch)
  else if (!fetch.isWhole) giveUp(fetch.key, fetch.id)
}

function tell(fetch: Fetch): void {
  fetch.toldAt = ngx.now()
  setReadable(fetch.key, fetch.id)
}

function finish(fetch: Fetch): void {
  ffi.C.close!(fetch.fd)
  fetch.fd = undefined
  endFetch(fetch.key, fetch.id, fetch.isWhole)
  const path = pathOf(fetch.id)
  // Its readers already have it open.
  const [isSet] = ngx.timer.at(graceSeconds, () => ffi.C.unlink!(path))
  if (!isSet) ffi.C.unlink!(path)
}

function create(path: string): number {
  // O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600
  return ffi.C.open!(path, 1 + 64 + 128 + 1024 + 524288, ffi.cast('int', 384)) as number
}

/** Returns false if the disk is full: the readers' responses then break off, as the origin's would. */
function write(fetch: Fetch, data: string): boolean {
  return tonumber(ffi.C.write!(fetch.fd, data, data.length)) === data.length
}

/** Removes files that previous workers left behind. Runs before nginx listens. */
export function removeLeftFetches(): void {
  const folder = `${node().folder}/tmp`
  for (const name of namesIn(folder)) if (name.startsWith('fetch-')) ffi.C.unlink!(`${folder}/${name}`)
}

const pieceBytes = 65_536
const room = ffi.new('char[?]', pieceBytes)

/** Answers with another request's fetch while its body arrives. */
export function readShared(): void {
  const [fdText, id] = (ngx.var.bw_fetch as string).split(' ')
  const fd = tonumber(fdText)!
  const key = ngx.var.http_x_bw_key as string
  const [ok, problem] = pcall(() => pass(fd, key, id!))
  ffi.C.close!(fd)
  if (!ok) throw problem
}

function pass(fd: number, key: string, id: string): void {
  let isHeadPassed = false
  let isCompressed = false
  let waiting = ''
  for (;;) {
    const end = endOf(key, id)
    const count = tonumber(ffi.C.read!(fd, room, pieceBytes)) ?? 0
    if (count <= 0) {
      if (end === 'done') return
      if (end === 'failed') {
        ngx.exit(ngx.ERROR)
        return
      }
      ngx.sleep(waitSeconds)
      continue
    }
    let piece = ffi.string(room, count)
    if (!isHeadPassed) {
      waiting += piece
      const line = waiting.indexOf('\n')
      if (line < 0) continue
      isCompressed = passHead(waiting.substring(0, line))
      isHeadPassed = true
      piece = waiting.substring(line + 1)
    }
    if (piece !== '') ngx.print(piece)
    // A compressor holds bytes back: waiting until all are sent could take forever.
    const [isFlushed] = ngx.flush(!isCompressed)
    if (isFlushed === undefined) return
  }
}

/** Sets the response headers. Returns whether nginx compresses the body. */
function passHead(json: string): boolean {
  const [head] = decode(json)
  const { headers, isCompressed } = head as { headers: Record<string, string | string[]>; isCompressed: boolean }
  for (const name in headers) ngx.header[name] = headers[name]
  // nginx reads other caching headers only if they precede this one.
  ngx.header['X-Accel-Expires'] = undefined
  ngx.header['X-Accel-Expires'] = headers['X-Accel-Expires'] ?? headers['x-accel-expires']
  ngx.header['X-BW-Origin'] = 'shared'
  ngx.header['X-Accel-Buffering'] = 'no'
  if (!isCompressed) ngx.req.clear_header('Accept-Encoding')
  return isCompressed
}
