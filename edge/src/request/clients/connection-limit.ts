/**
 * Limits connections per client address, in whatever state they are: in the handshake, in a request head, idle or in
 * use. A worker's total is `worker_connections`; when those run out, nginx closes idle ones first.
 */
import * as ffi from 'ffi'
import { inRangeSet, type RangeSet, rangeSet } from '../lib/address.ts'
import { clientKey } from '../nginx/buckets.ts'
import { node } from '../nginx/node.ts'
import { cutOff, isListening, peerOf, portOf } from '../nginx/sockets.ts'

ffi.cdef('extern volatile unsigned long *ngx_stat_active;')

/** Connections of one address (for IPv6, one /64) on a node. The kernel spreads them over the workers. */
const perAddress = 1024
const perWorkerMin = 64
/** This many closed descriptors in a row mark the end of a worker's descriptors. */
const gapMax = 1024

let perWorker = perAddress
let proxies: RangeSet | undefined
const ports: Record<number, boolean> = {}

/** Call once per worker, before it accepts connections. */
export function prepareConnectionLimit(): void {
  perWorker = Math.max(perWorkerMin, Math.ceil(perAddress / ngx.worker.count()))
  const trusted = node().trustedProxies
  proxies = trusted.length === 0 ? undefined : rangeSet(trusted)
  for (let fd = 0; fd < gapMax; fd++) {
    const port = isListening(fd) ? portOf(fd) : 0
    if (port > 0) ports[port] = true
  }
}

/** Closes an address's connections beyond the limit. Takes a few µs if the node has few connections. */
export function limitConnections(): void {
  if (tonumber(ffi.C.ngx_stat_active[0])! <= perWorker) return
  const fds: Record<string, number[]> = {}
  for (let fd = 0, gap = 0; gap < gapMax; fd++) {
    const peer = peerOf(fd)
    gap = peer === undefined ? gap + 1 : 0
    if (peer === undefined) continue
    const key = clientKey(peer, false)
    fds[key] ??= []
    fds[key].push(fd)
  }
  for (const [, all] of pairs(fds)) if (all.length > perWorker && !isProxy(all[0]!)) cutBeyond(all)
}

/** The operator's proxies bring many visitors each. */
function isProxy(fd: number): boolean {
  const peer = peerOf(fd)
  return peer !== undefined && proxies !== undefined && inRangeSet(proxies, peer)
}

function cutBeyond(all: number[]): void {
  let kept = 0
  let closed = 0
  for (const fd of all) {
    // A connection to an origin has a local port of its own.
    if (ports[portOf(fd)] !== true) continue
    if (kept < perWorker) kept++
    else {
      cutOff(fd)
      closed++
    }
  }
  if (closed > 0) ngx.log(ngx.WARN, 'closed ', closed, ' connections of one address beyond ', perWorker)
}
