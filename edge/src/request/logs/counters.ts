/**
 * Exact counters (contract: CounterRow): summed in each worker, written once a second as what was added since. Each
 * worker appends whole lines with one write, so nothing is shared and nothing is lost between two workers.
 */
import * as buffer from 'string.buffer'
import { appendFile } from '../nginx/files.ts'
import { node } from '../nginx/node.ts'
import { flushVitals } from './vitals.ts'

type Sum = {
  /** The line between its minute and its numbers, which is the same as long as the sum is kept. */
  names: string
  requests: number
  bytesSent: number
  bytesReceived: number
  originRequests: number
}

/** By site, by the cache's word, by status and cause as one number: no text is made for a request. */
type SiteSums = Record<string, Record<number, Sum>>

let minute = 0
/** Kept empty from flush to flush, as those who were asked are asked again. */
let sums: Record<number, SiteSums> = {}
let sumCount = 0
const sumsMax = 50_000
/** The sums that have something in them. */
let filled: Sum[] = []
/** Since the last flush, for GET /state. */
let total = 0
const lines = buffer.new()
/** Lines that could not be written yet. */
let waiting = ''
const waitingMax = 16_000_000

/** Above every cause. */
const causesMax = 1_000_000

/** Adds one request. A new minute closes the one before. */
export function count(
  time: number,
  site: number,
  status: number,
  cause: number,
  cache: string,
  sent: number,
  received: number,
  askedOrigin: boolean,
): void {
  const now = time - (time % 60)
  if (now !== minute) {
    close()
    minute = now
  }
  const sum = sums[site]?.[cache]?.[status * causesMax + cause] ?? newSum(site, status, cause, cache)
  if (sum.requests === 0) filled.push(sum)
  sum.requests++
  total++
  sum.bytesSent += sent
  sum.bytesReceived += received
  if (askedOrigin) sum.originRequests++
}

function newSum(site: number, status: number, cause: number, cache: string): Sum {
  const { node: id, zone } = node()
  const names = string.format(
    ',"node":%d,"zone":%d,"site":%d,"status":%d,"cause":%d,"cache":"%s","requests":',
    id,
    zone,
    site,
    status,
    cause,
    cache,
  )
  const sum = { names, requests: 0, bytesSent: 0, bytesReceived: 0, originRequests: 0 }
  sums[site] ??= {}
  const ofSite = sums[site]!
  ofSite[cache] ??= {}
  ofSite[cache]![status * causesMax + cause] = sum
  sumCount++
  return sum
}

/** Turns the sums into lines and empties them. */
function close(): void {
  for (const sum of filled) {
    lines.put('{"minute":', minute, sum.names, sum.requests, ',"bytesSent":', sum.bytesSent)
    lines.put(',"bytesReceived":', sum.bytesReceived, ',"originRequests":', sum.originRequests, '}\n')
    sum.requests = 0
    sum.bytesSent = 0
    sum.bytesReceived = 0
    sum.originRequests = 0
  }
  filled = []
  if (sumCount <= sumsMax) return
  sums = {}
  sumCount = 0
}

/** Writes what was added. Where the disk refuses it is kept and tried again. */
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
