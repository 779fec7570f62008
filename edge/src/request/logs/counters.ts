/**
 * Exact counters (contract: CounterRow): summed in each worker, and written once a second as increments. Each worker
 * appends whole lines with a single write, so nothing is shared and nothing is lost between workers.
 */
import * as ffi from 'ffi'
import * as buffer from 'string.buffer'
import { flushVitals } from '../memory/vitals.ts'
import { appendFile } from '../nginx/files.ts'
import { node } from '../nginx/node.ts'

/**
 * The sums are in one array of numbers: requests alternate between ten thousand sites, and each sum fits one CPU cache
 * line. `kind` is an index of `kinds`.
 */
ffi.cdef(`
typedef struct { double site, kind, requests, bytesSent, bytesReceived, originRequests; } bw_sum;
void *calloc(size_t count, size_t size);
`)

type Sum = {
  site: number
  kind: number
  requests: number
  bytesSent: number
  bytesReceived: number
  originRequests: number
}

const sumsMax = 50_000
/** Allocated for the worker's lifetime; unused pages take no memory. */
const sums = ffi.cast('bw_sum *', ffi.C.calloc!(sumsMax, ffi.sizeof('bw_sum'))) as Record<number, Sum>
let sumCount = 0
/**
 * The index of a sum by site and kind, combined in one number. Kept between flushes, because the same sums are needed
 * again.
 */
let places: Record<number, number> = {}
/** The indexes of the sums that are not empty. */
const filled = ffi.cast('int *', ffi.C.calloc!(sumsMax + 1, 4)) as Record<number, number>
let filledCount = 0

/** Cache status and action, with status and cause: the part of a line after the site. There are few of them. */
const kinds: string[] = []
let kindsByCache: Record<string, Record<number, number>> = {}
const kindsMax = 65_536

let minute = 0
/** Since the last flush, for GET /state. */
let total = 0
const lines = buffer.new()
/** Lines that could not be written yet. */
let waiting = ''
const waitingMax = 16_000_000

/** Greater than every cause. */
const causesMax = 1_000_000
/** The edge's actions, by number. */
const actions: Record<string, number> = { pass: 0, block: 1, challenge: 2, observe: 3 }
const actionsMax = 4

const codeOf = (status: number, cause: number, action: string) =>
  (status * causesMax + cause) * actionsMax + (actions[action] ?? 0)

/** Adds one request. When a new minute begins, the previous one is closed. */
export function count(
  time: number,
  site: number,
  status: number,
  cause: number,
  cache: string,
  action: string,
  sent: number,
  received: number,
  askedOrigin: boolean,
): void {
  const now = time - (time % 60)
  if (now !== minute) {
    close()
    minute = now
  }
  const kind = kindsByCache[cache]?.[codeOf(status, cause, action)] ?? newKind(status, cause, cache, action)
  const place = places[site * kindsMax + kind] ?? newPlace(site, kind)
  const sum = sums[place]!
  // The first request of a sum takes the next place; later ones write to a place that is overwritten. Without a branch,
  // which with ten thousand sites would be unpredictable.
  filled[filledCount] = place
  filledCount += 1 - math.min(1, sum.requests)
  sum.requests++
  total++
  sum.bytesSent += sent
  sum.bytesReceived += received
  if (askedOrigin) sum.originRequests++
}

function newKind(status: number, cause: number, cache: string, action: string): number {
  if (kinds.length >= kindsMax) forget()
  const format = ',"status":%d,"cause":%d,"cache":"%s","action":"%s","requests":'
  kinds.push(string.format(format, status, cause, cache, action))
  const kind = kinds.length - 1
  kindsByCache[cache] ??= {}
  kindsByCache[cache]![codeOf(status, cause, action)] = kind
  return kind
}

function newPlace(site: number, kind: number): number {
  if (sumCount >= sumsMax) {
    close()
    places = {}
    sumCount = 0
  }
  const place = sumCount
  sumCount++
  const sum = sums[place]!
  sum.site = site
  sum.kind = kind
  places[site * kindsMax + kind] = place
  return place
}

function forget(): void {
  close()
  places = {}
  sumCount = 0
  kindsByCache = {}
  kinds.length = 0
}

/** Converts the sums to lines and resets them. */
function close(): void {
  if (filledCount === 0) return
  const { node: id, zone } = node()
  const head = string.format('{"minute":%d,"node":%d,"zone":%d,"site":', minute, id, zone)
  for (let at = 0; at < filledCount; at++) {
    const sum = sums[filled[at]!]!
    lines.put(head, sum.site, kinds[sum.kind]!, sum.requests, ',"bytesSent":', sum.bytesSent)
    lines.put(',"bytesReceived":', sum.bytesReceived, ',"originRequests":', sum.originRequests, '}\n')
    sum.requests = 0
    sum.bytesSent = 0
    sum.bytesReceived = 0
    sum.originRequests = 0
  }
  filledCount = 0
}

/** Writes what was added. If the disk refuses it, the lines are kept and tried again. */
export function flush(): void {
  close()
  if (total > 0) ngx.shared.node!.incr('requests', total, 0)
  total = 0
  flushVitals()
  waiting += lines.get()
  if (waiting === '') return
  if (appendFile(`${node().folder}/spool/counters.log`, waiting)) waiting = ''
  else if (waiting.length > waitingMax) {
    ngx.log(ngx.ERR, 'counters are lost: the spool cannot be written')
    waiting = ''
  }
}
