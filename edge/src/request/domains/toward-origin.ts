/** The last steps before an origin: which one, where it is, what it is told. Runs on the inner hop and on the direct route. */
import { get_last_failure, set_current_peer, set_more_tries, set_timeouts } from 'ngx.balancer'
import { changeRequest } from '../nginx/headers.ts'
import { secretOf } from '../nginx/secrets.ts'
import type { CompiledSite } from '../sites/compile.ts'
import type { HostEntry } from '../sites/current.ts'
import { failed, isDown } from './health.ts'
import { type Origin, orderOrigins } from './origins.ts'
import { addressesOf } from './resolve.ts'

type Peer = { origin: Origin; address: string }

export type OriginContext = { site: CompiledSite; peers: Peer[]; tried: number }

const peersMax = 6

/** Requests that came through this many edges already are going round in a circle. */
const hopsMax = 8

/** Chooses the origins of a request and finds out where they are. Nothing where none can be asked. */
export function towardOrigin(entry: HostEntry, address: string): OriginContext | undefined {
  const { origins } = entry.domain
  const key = origins.balance === 'urlHash' ? (ngx.var.uri as string) : address
  const peers: Peer[] = []
  let isTls = false
  for (const origin of orderOrigins(origins, key, isDown)) {
    if (peers.length > 0 && origin.tls !== isTls) continue
    for (const found of addressesOf(origin, origins.allowed)) {
      if (peers.length < peersMax) peers.push({ origin, address: found })
      isTls = origin.tls
    }
  }
  const first = peers[0]
  if (first === undefined || isCircling()) return undefined
  tellOrigin(entry)
  ngx.var.bw_upstream = isTls ? 'https://origin_tls' : 'http://origin'
  first.origin.active++
  return { site: entry.site, peers, tried: 0 }
}

/** CDN-Loop (RFC 8586): an origin that is this edge again would otherwise be asked for ever. */
function isCircling(): boolean {
  const given = ngx.var.http_cdn_loop as string | undefined
  ngx.req.set_header('CDN-Loop', given === undefined ? 'breakwater' : `${given}, breakwater`)
  return given !== undefined && given.split('breakwater').length > hopsMax
}

/** The customer's own headers, and the credential by which an origin knows us. Nobody else's copy of it passes. */
function tellOrigin(entry: HostEntry): void {
  const { site, domain } = entry
  if (domain.originHost !== undefined) {
    ngx.var.bw_origin_host = domain.originHost
    ngx.var.bw_origin_name = domain.originHost
  }
  if (domain.headers.request !== undefined) changeRequest(domain.headers.request)
  const { credentialHeader } = site.settings
  if (credentialHeader === undefined) return
  const value = site.credentialRef === undefined ? undefined : secretOf(site.site, site.credentialRef)
  if (value === undefined) ngx.req.clear_header(credentialHeader)
  else ngx.req.set_header(credentialHeader, value)
}

/** nginx asks here for an address, once for each try. */
export function balance(context: OriginContext): void {
  const { site, peers } = context
  if (context.tried === 0) {
    if (peers.length > 1) set_more_tries(peers.length - 1)
    const { connectTimeout, readTimeout } = site.settings
    set_timeouts(connectTimeout, readTimeout, readTimeout)
  } else {
    const [failure] = get_last_failure()
    if (failure !== undefined) failed(peers[(context.tried - 1) % peers.length]!.origin)
  }
  const peer = peers[context.tried % peers.length]!
  context.tried++
  set_current_peer(peer.address, peer.origin.port)
}

/** After the answer: the origin is free again, and one that gave none is noted. */
export function settle(context: OriginContext): void {
  const first = context.peers[0]!.origin
  if (first.active > 0) first.active--
  if (context.tried > 0 && ngx.var.upstream_header_time === '-') {
    failed(context.peers[(context.tried - 1) % context.peers.length]!.origin)
  }
}
