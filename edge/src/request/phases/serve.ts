/** Handles a request before it reaches the cache or an origin: its site, the guards in order, its route. */

import type { longPath as longPathOf, longQuery as longQueryOf } from '@breakwater/contract/edge/events.ts'
import type { LiveConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { clientAddress } from '../clients/client-address.ts'
import { endsRequest, noteInvalidHost } from '../clients/invalid-hosts.ts'
import { banFromZone } from '../clients/zone-bans.ts'
import { limitFor } from '../delivery/bandwidth.ts'
import { malformed } from '../firewall/protocol.ts'
import {
  bannedFromZone,
  compileZoneLimits,
  limitedByZone,
  refusedByZone,
  type ZoneLimits,
} from '../firewall/zone-limits.ts'
import { decide, decideOnBody } from '../guards/guards.ts'
import { type RangeSet, rangeSet } from '../lib/address.ts'
import { hasBackslash, resolveBackslashes } from '../lib/backslashes.ts'
import type { EdgeRequest, Verdict } from '../lib/guard.ts'
import { isPlainTarget, readingsOf } from '../lib/request-target.ts'
import { beginRequest, expectBody } from '../nginx/live-requests.ts'
import { node } from '../nginx/node.ts'
import { nameRequest } from '../nginx/request-id.ts'
import { configuration } from '../sites/configuration.ts'
import { type HostEntry, hostEntry, rowWeight } from '../sites/site-cache.ts'
import { answerChallenge } from './acme.ts'
import { prepareAltSvc, sayAltSvc } from './alt-svc.ts'
import { authenticate, showsKey, takeKeys } from './authenticate.ts'
import type { RequestContext } from './context.ts'
import { answerPreflight, askingOrigin, isPreflight } from './cors.ts'
import { isCall } from './grpc-call.ts'
import { beginGuards, guardTools, liveTools } from './live-tools.ts'
import { logAll, logWhole } from './log-row.ts'
import { redirect, redirectToHttps } from './redirect.ts'
import { answer, note, noteWaf, noteWafShadow, respond } from './respond.ts'
import { takeRoute } from './route.ts'
import { takeToken } from './token-auth.ts'
import { isStream } from './upgrade.ts'

const longPath: typeof longPathOf = 1024
const longQuery: typeof longQueryOf = 1024
let zoneProxies: RangeSet | undefined
/** Ports on which a site answers only if it chose them, as nginx writes them; undefined if there are none. */
let chosenPorts: Record<string, true> | undefined

/** Reads the facts of the node once, when nginx starts. */
export function prepareServe(): void {
  const trusted = node().trustedProxies
  zoneProxies = trusted.length === 0 ? undefined : rangeSet(trusted)
  prepareAltSvc()
  const { extraPorts } = node()
  chosenPorts = extraPorts.length === 0 ? undefined : {}
  for (const port of extraPorts) chosenPorts![`${port}`] = true
}

function requestOf({ site }: HostEntry, host: string): EdgeRequest {
  const vars = ngx.var
  return {
    site: site.site,
    method: ngx.req.get_method(),
    host,
    path: vars.uri as string,
    otherPaths: undefined,
    query: (vars.args as string | undefined) ?? '',
    addressBytes: vars.binary_remote_addr as string,
    time: ngx.now(),
    observed: undefined,
    acted: undefined,
    score: 0,
    waf: undefined,
    detail: undefined,
    wafShadow: undefined,
    skipped: undefined,
    headers: undefined,
  }
}

function contextOf(entry: HostEntry, request: EdgeRequest, isTls: boolean): RequestContext {
  const target = ngx.var.request_uri as string
  const isPlain = isPlainTarget(target, request.path, request.query)
  // One literal: a spread would be a loop, which keeps the whole phase from being compiled.
  return {
    entry,
    request,
    target,
    isPlain,
    isTls,
    isSpecial: ngx.var.bw_special !== '',
    corsOrigin: entry.domain.cors === undefined ? undefined : askingOrigin(),
    isHit: false,
    cause: 0,
    action: 'pass',
    isCall: entry.site.settings.hasGrpc && isCall(request.method),
  }
}

/** Whether a site answers on the requested port: one of every node, or one of the zone's that the site chose. */
function answersHere({ site }: HostEntry, chosen: Record<string, true>): boolean {
  const port = ngx.var.server_port as string
  return chosen[port] === undefined || site.settings.ports?.[port] === true
}

export function serve(): void {
  nameRequest()
  const vars = ngx.var
  const host = vars.host as string
  const entry = hostEntry(host)
  if (entry === undefined) {
    noteInvalidHost(zoneProxies)
    ngx.exit(444)
    return
  }
  if (endsRequest(zoneProxies)) {
    dropBanned(entry, host)
    return
  }
  const { acme } = entry.domain
  if (acme !== undefined && answerChallenge(acme)) return
  const { site } = entry
  if (chosenPorts !== undefined && !answersHere(entry, chosenPorts)) {
    ngx.exit(444)
    return
  }
  const isTls = vars.scheme === 'https'
  const name = isTls ? (vars.ssl_server_name as string | undefined) : undefined
  if (name !== undefined && name !== '' && name !== host && !hasSameOwner(name, site.site)) {
    answer(421)
    return
  }

  const request = requestOf(entry, host)
  if (zoneProxies !== undefined || site.settings.trustedProxies !== undefined) believe(request, entry)
  beginRequest(request.time)
  const context = contextOf(entry, request, isTls)
  ngx.ctx = context
  sayAltSvc(site.settings.hasHttp3)
  // A gRPC call may be idle for long, like a WebSocket.
  if (request.method !== 'GET' && request.method !== 'HEAD' && !context.isCall) expectBody()
  beginRow(entry, request)

  if (hasBackslash(request.path)) {
    const path = resolveBackslashes(request.path, site.settings.backslashes)
    if (path === undefined) {
      respond(request, site.revision, malformed())
      return
    }
    if (path !== request.path) {
      // The origin gets the same path that the rules see.
      request.path = path
      context.isRewritten = true
      ngx.req.set_uri(path, false, true)
    }
  }
  beginGuards(site.site)
  const { tokens } = entry.domain
  const untrusted = tokens === undefined ? undefined : takeToken(context, tokens)
  const { auth } = entry.domain
  if (auth?.readsQuery === true) takeKeys(context, auth)
  if (auth !== undefined) context.showsKey = showsKey
  const limits = zoneLimits()
  const verdict =
    readPath(context) ??
    (limits === undefined ? decide(entry.steps, request, guardTools) : decideInZone(context, limits))
  if (verdict !== undefined) {
    if (verdict.action !== 'allow') {
      respond(request, site.revision, verdict)
      return
    }
    note(verdict, 'pass')
  }
  if (request.observed !== undefined) note(request.observed, 'observe')
  else if (verdict === undefined && request.acted !== undefined) note(request.acted, 'pass')
  if (entry.domain.cors !== undefined && isPreflight(request.method)) {
    answerPreflight(context)
    return
  }
  if (entry.domain.redirects !== undefined && redirect(context, entry.domain.redirects)) return
  if (entry.domain.forceSsl && !isTls) {
    redirectToHttps(context)
    return
  }
  if (untrusted !== undefined) {
    respond(request, site.revision, untrusted)
    return
  }
  if (auth !== undefined && authenticate(context, auth)) return
  const { bodyBytesMax } = site.settings
  if (bodyBytesMax > 0 && !context.isCall) {
    const refusal = bodyRefusal(context, bodyBytesMax)
    if (refusal > 0) {
      answer(refusal)
      return
    }
  }
  if (verdict === undefined && refusesBody(context)) return
  // A stream is never throttled: it is only as fast as its events.
  if (site.bandwidth !== undefined && !isStream()) {
    const limit = limitFor(site.bandwidth, request.path, liveTools)
    if (limit !== undefined) {
      vars.bw_rate_after = limit.afterSize
      vars.limit_rate = limit.rate
      context.isLimited = true
    }
  }
  takeRoute(context)
}

/** Sets the site of the log row, and decides whether there is one. */
function beginRow({ site }: HostEntry, request: EdgeRequest): void {
  const vars = ngx.var
  vars.bw_site = site.siteText
  vars.bw_revision = site.revisionText
  const weight = rowWeight()
  if (weight !== 1) logWhole(math.random() * weight < 1 ? weight : 0)
  else if (request.path.length > longPath || request.query.length > longQuery) logAll()
}

/**
 * A client that is banned from the zone gets no response from any site. The site's log says why: otherwise nobody would
 * know.
 */
function dropBanned(entry: HostEntry, host: string): void {
  const request = requestOf(entry, host)
  beginRequest(request.time)
  ngx.ctx = contextOf(entry, request, ngx.var.scheme === 'https')
  beginRow(entry, request)
  respond(request, entry.site.revision, bannedFromZone)
}

let limitsOf: LiveConfiguration | undefined
let limits: ZoneLimits | undefined

/** What protects all sites of the zone. Returns undefined if nothing is set. */
function zoneLimits(): ZoneLimits | undefined {
  const now = configuration()
  if (now !== limitsOf) {
    limits = compileZoneLimits(now)
    limitsOf = now
  }
  return limits
}

/** Runs the guards of a site between those of its zone. */
function decideInZone({ entry, request }: RequestContext, zone: ZoneLimits): Verdict | undefined {
  const refused = refusedByZone(zone, request)
  if (refused !== undefined) return refused
  const decided = decide(entry.steps, request, guardTools)
  if (decided !== undefined) return decided
  const limited = limitedByZone(zone, request, liveTools)
  // For a visitor behind a proxy, the ban would hit the proxy.
  if (limited?.action === 'block' && request.addressBytes === ngx.var.binary_remote_addr)
    banFromZone(request.addressBytes, 'zoneAntiCC')
  return limited
}

/** Runs the guards that may read a body, now that the sender may pass. */
function refusesBody(context: RequestContext): boolean {
  const { entry, request } = context
  const verdict = decideOnBody(entry.steps, request, liveTools)
  if (request.waf !== undefined) noteWaf(request.waf)
  if (request.wafShadow !== undefined) noteWafShadow(request.wafShadow)
  if (verdict !== undefined) {
    respond(request, entry.site.revision, verdict)
    return true
  }
  if (request.observed !== undefined && context.action === 'pass') note(request.observed, 'observe')
  return false
}

/** Restores the context of a request that already passed and lost it when nginx jumped here: later phases need it. */
export function againNow(): void {
  const host = ngx.var.host as string
  const entry = hostEntry(host)
  if (entry === undefined) ngx.exit(502)
  else ngx.ctx = contextOf(entry, requestOf(entry, host), ngx.var.scheme === 'https')
}

/**
 * Finds the other readings of an unusual path, so that the rules check each of them. Refuses what no client sends (a
 * fragment), and every ambiguous path if the site wants that.
 */
function readPath({ entry, request, target, isPlain }: RequestContext): Verdict | undefined {
  if (isPlain && request.path.indexOf(';') < 0) return undefined
  if (target.indexOf('#') >= 0) return malformed()
  const { ambiguousPaths } = entry.site.settings
  if (ambiguousPaths === 'pass') return undefined
  request.otherPaths = readingsOf(target, request.path, isPlain)
  return ambiguousPaths === 'refuse' && request.otherPaths !== undefined ? malformed() : undefined
}

/** Methods whose requests have a body over HTTP/2 even without a header that says so. */
const sending: Record<string, boolean> = { POST: true, PUT: true, PATCH: true }

/** Returns 413 for a body that is too large, 411 for a streamed one without a length, else 0. */
function bodyRefusal({ isSpecial, request }: RequestContext, bytesMax: number): number {
  const vars = ngx.var
  const length = isSpecial ? tonumber(vars.http_content_length) : undefined
  if (length !== undefined) return length > bytesMax ? 413 : 0
  const isUnmeasured =
    (isSpecial && vars.http_transfer_encoding !== undefined) ||
    (sending[request.method] === true && (ngx.req.http_version() ?? 0) >= 2)
  return isUnmeasured ? 411 : 0
}

/** A TLS server name of another site must not lead to this one. */
function hasSameOwner(name: string, site: number): boolean {
  const other = hostEntry(name.toLowerCase())
  return other !== undefined && other.site.site === site
}

function believe(request: EdgeRequest, entry: HostEntry): void {
  const found = clientAddress(
    { address: ngx.var.remote_addr as string, bytes: request.addressBytes },
    ngx.var.http_x_forwarded_for as string | undefined,
    { zone: zoneProxies, own: entry.site.settings.trustedProxies },
  )
  request.addressBytes = found.bytes
  ngx.var.bw_address = found.address
}
