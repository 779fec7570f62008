/**
 * Exact counters (contract: CounterRow): summed in each worker, written once a second as what was added since. Each
 * worker appends whole lines with one write, so nothing is shared and nothing is lost between two workers.
 */
import { appendFile } from '../nginx/files.ts'
import { node } from '../nginx/node.ts'
import { flushVitals } from './vitals.ts'

type Sum = {
  site: number
  status: number
  cause: string
  cache: string
  requests: number
  bytesSent: number
  bytesReceived: number
  originRequests: number
}

let minute = 0
let sums: Record<string, Sum> = {}
/** Since the last flush, for GET /state. */
let total = 0
/** Lines that could not be written yet. */
let waiting = ''
const waitingMax = 16_000_000

/** Adds one request. A new minute closes the one before. */
export function count(
  time: number,
  site: number,
  status: number,
  cause: string,
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
  const key = `${site}|${status}|${cause}|${cache}`
  let sum = sums[key]
  if (sum === undefined) {
    sum = { site, status, cause, cache, requests: 0, bytesSent: 0, bytesReceived: 0, originRequests: 0 }
    sums[key] = sum
  }
  sum.requests++
  total++
  sum.bytesSent += sent
  sum.bytesReceived += received
  if (askedOrigin) sum.originRequests++
}

/** Turns the sums into lines. */
function close(): void {
  const { node: id, zone } = node()
  const lines: string[] = []
  for (const key in sums) {
    const sum = sums[key]!
    const line = string.format(
      '{"minute":%d,"node":%d,"zone":%d,"site":%d,"status":%d,"cause":%s,"cache":"%s","requests":%d,"bytesSent":%.0f,"bytesReceived":%.0f,"originRequests":%d}\n',
      minute,
      id,
      zone,
      sum.site,
      sum.status,
      sum.cause,
      sum.cache,
      sum.requests,
      sum.bytesSent,
      sum.bytesReceived,
      sum.originRequests,
    )
    lines.push(line)
  }
  // Joined once: a text that grows line by line is copied whole for each of ten thousand sites.
  if (lines.length > 0) waiting += lines.join('')
  sums = {}
}

/** Writes what was added. Where the disk refuses it is kept and tried again. */
export function flush(): void {
  close()
  if (total > 0) ngx.shared.node!.incr('requests', total, 0)
  total = 0
  flushVitals()
  if (waiting === '') return
  if (appendFile(`${node().folder}/spool/counters.log`, waiting)) waiting = ''
  else if (waiting.length > waitingMax) {
    ngx.log(ngx.ERR, 'counters are lost: the spool cannot be written')
    waiting = ''
  }
}
