/**
 * The last steps before an origin: which one to ask, at what address, and with which headers. Runs on the inner hop and
 * on the uncached route.
 */
import { get_last_failure, set_current_peer, set_more_tries, set_timeouts } from 'ngx.balancer'
import { askedBy, noteAsked } from '../domains/failures.ts'
import { failed, isDown, isPlainHttp, noteManner, succeeded, takeProbe } from '../domains/health.ts'
import { type Origin, orderOrigins } from '../domains/origins.ts'
import { addressesOf } from '../domains/resolve.ts'
import { secretOf } from '../nginx/secrets.ts'
import type { CompiledSite, HeaderChange } from '../sites/compile.ts'
import type { HostEntry } from '../sites/site-cache.ts'
import { changeRequest, dropUnkeyed, unweakenIfMatch } from './headers.ts'
import { noteVisit } from './origin-checks.ts'
import { originTarget } from './origin-target.ts'
import { isStream } from './upgrade.ts'

type Peer = { origin: Origin; address: string }

export type OriginContext = {
  site: CompiledSite
  peers: Peer[]
  /** How often nginx asked for an address; 0 if the relay asks the origin. */
  tried: number
  isRelayed: boolean
  /** Whether it is a gRPC call. */
  isCall: boolean
}

const peersMax = 6

/** A request that already passed this many edges is in a loop (CDN-Loop, RFC 8586). */
const hopsMax = 8

/**
 * Chooses the origins of a request, by the visitor's address and scheme, and resolves their addresses. Returns
 * undefined if none can be asked. `changes` are headers set by rules; a stored response has none.
 */
export function towardOrigin(
  entry: HostEntry,
  address: string,
  scheme: string,
  changes?: HeaderChange[],
  isCall = false,
): OriginContext | undefined {
  const { domain } = entry
  const origins = domain.tlsOrigins !== undefined && scheme === 'https' ? domain.tlsOrigins : domain.origins
  const key = origins.balance === 'urlHash' ? (ngx.var.uri as string) : address
  const peers: Peer[] = []
  let isTls = false
  for (const origin of orderOrigins(origins, key, isDown, takeProbe)) {
    if (peers.length > 0 && origin.tls !== isTls) continue
    for (const found of addressesOf(origin, origins.allowed)) {
      if (peers.length < peersMax) peers.push({ origin, address: found })
      isTls = origin.tls
    }
  }
  if (entry.site.settings.originCheck !== undefined) noteVisit(ngx.var.host as string)
  const first = peers[0]
  if (first === undefined) {
    noteAsked(requestId(), '', origins.all.length === 0 ? 'none' : 'dns')
    return undefined
  }
  const passed = ngx.var.http_cdn_loop as string | undefined
  if (passed !== undefined && passed.split('breakwater').length > hopsMax) return undefined
  tellOrigin(entry, changes)
  // Last, so that no setting of a site can remove it (RFC 8586).
  ngx.req.set_header('CDN-Loop', passed === undefined ? 'breakwater' : `${passed}, breakwater`)
  const isLooked = domain.responses !== undefined && !isStream()
  const isRelayed = !isCall && (isTls || isLooked || !isPlainHttp(first.address, first.origin.port))
  if (isRelayed) relay(entry, peers, isTls)
  else ngx.var.bw_upstream = `http://origin${originTarget(entry)}`
  first.origin.active++
  return { site: entry.site, peers, tried: 0, isRelayed, isCall }
}

/** The id of the visitor's request, on both hops. */
export function requestId(): string {
  return ngx.var.bw_id as string
}

/** The address of the origin that answered. */
export function addressAsked({ peers, isRelayed }: OriginContext): string {
  if (!isRelayed) return lastOf(`${ngx.var.upstream_addr}`)
  const { address, origin } = peers[0]!
  return askedBy(requestId())?.address ?? `${address}:${origin.port}`
}

/** The last entry of what nginx lists for its tries. */
export function lastOf(list: string): string {
  const parts = list.split(', ')
  return parts[parts.length - 1] ?? ''
}

/** Lets the relay ask the origin (phases/relay.ts). */
function relay(entry: HostEntry, peers: Peer[], isTls: boolean): void {
  const { settings } = entry.site
  const targets = peers.map(({ address, origin }) => `${address} ${origin.port} ${origin.key}`)
  const idle = isStream() ? settings.websocketIdleTimeout : settings.idleTimeout
  const timeouts = `${settings.connectTimeout} ${settings.firstByteTimeout} ${idle}`
  const name = isTls ? (settings.originTls.serverName ?? (ngx.var.bw_origin_name as string)) : '-'
  ngx.var.bw_relay = `${ngx.var.host}|${name}|${timeouts}|${targets.join('|')}`
  ngx.var.bw_upstream = `http://relay${originTarget(entry)}`
}

/** An origin that was assumed to send no interim responses sent one: from now on the relay asks it. */
export function noteInterim({ peers, tried }: OriginContext): void {
  const peer = peers[(tried > 0 ? tried - 1 : 0) % peers.length]!
  noteManner(peer.address, peer.origin.port, true)
}

/**
 * Sets the customer's own headers, first those of modules and then those of rules, and the origin credential. A
 * credential header from the visitor is removed.
 */
function tellOrigin(entry: HostEntry, changes: HeaderChange[] | undefined): void {
  const { site, domain } = entry
  const host = site.settings.originHost ?? domain.originHost
  if (host !== undefined) {
    ngx.var.bw_origin_host = host
    ngx.var.bw_origin_name = host
  }
  const method = ngx.req.get_method()
  if (method === 'GET' || method === 'HEAD') dropUnkeyed(site.settings.keyedHeaders)
  else unweakenIfMatch()
  if (domain.headers.request !== undefined) changeRequest(domain.headers.request)
  if (changes !== undefined) changeRequest(changes)
  const { credentialHeader } = site.settings
  if (credentialHeader === undefined) return
  const value = site.credentialRef === undefined ? undefined : secretOf(site.site, site.credentialRef)
  if (value === undefined) ngx.req.clear_header(credentialHeader)
  else ngx.req.set_header(credentialHeader, value)
}

/** Seconds between two reads from an origin. nginx has a single timer for the first byte and for later gaps. */
function readTimeout(settings: CompiledSite['settings']): number {
  return isStream() ? settings.websocketIdleTimeout : math.max(settings.firstByteTimeout, settings.idleTimeout)
}

/** nginx calls this for an address, once per try. */
export function balance(context: OriginContext): void {
  const { site, peers } = context
  if (context.tried === 0) {
    if (peers.length > 1) set_more_tries(peers.length - 1)
    const { settings } = site
    const idle = context.isCall ? settings.websocketIdleTimeout : settings.idleTimeout
    set_timeouts(settings.connectTimeout, idle, context.isCall ? idle : readTimeout(settings))
  } else {
    const [failure] = get_last_failure()
    if (failure !== undefined) failed(peers[(context.tried - 1) % peers.length]!.origin.key)
  }
  const peer = peers[context.tried % peers.length]!
  context.tried++
  set_current_peer(peer.address, peer.origin.port)
}

/** Runs after the response: releases the origin, and notes a failure if it gave no response. */
export function settle(context: OriginContext): void {
  const first = context.peers[0]!.origin
  if (first.active > 0) first.active--
  // The relay notes its own failures.
  if (context.tried === 0) return
  const { key } = context.peers[(context.tried - 1) % context.peers.length]!.origin
  if (ngx.var.upstream_header_time === '-') failed(key)
  else succeeded(key)
}
