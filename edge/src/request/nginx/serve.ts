/** What happens to a request before it reaches the cache or an origin: its site, the guards in order, its route. */
import type { EdgeRequest } from '../guard.ts'
import { decide } from '../guards.ts'
import { type RangeSet, rangeSet } from '../lib/address.ts'
import { type HostEntry, hostEntry, rowWeight } from '../sites/current.ts'
import type { RequestContext } from './context.ts'
import { liveTools } from './live.ts'
import { node } from './node.ts'
import { beginRules } from './patience.ts'
import { answer, note, respond } from './respond.ts'
import { takeRoute } from './route.ts'
import { visitorAddress } from './visitor.ts'

let zoneProxies: RangeSet | undefined

/** Reads the facts of the node once, when nginx starts. */
export function prepareServe(): void {
  const trusted = node().trustedProxies
  zoneProxies = trusted.length === 0 ? undefined : rangeSet(trusted)
}

export function serve(): void {
  const vars = ngx.var
  const host = vars.host as string
  const entry = hostEntry(host)
  if (entry === undefined) {
    ngx.exit(444)
    return
  }
  const { site } = entry
  const name = vars.ssl_server_name as string | undefined
  if (name !== undefined && name !== '' && name !== host && !hasSameOwner(name, site.site)) {
    answer(421)
    return
  }

  const request: EdgeRequest = {
    site: site.site,
    method: ngx.req.get_method(),
    host,
    path: vars.uri as string,
    query: (vars.args as string | undefined) ?? '',
    addressBytes: vars.binary_remote_addr as string,
    time: ngx.now(),
    observed: undefined,
  }
  if (zoneProxies !== undefined || site.settings.trustedProxies !== undefined) believe(request, entry)
  const context: RequestContext = { entry, request, overlayKey: undefined, cause: 0 }
  ngx.ctx = context
  vars.bw_site = site.site
  vars.bw_revision = site.revision
  const weight = rowWeight()
  if (weight === 1 || math.random() * weight < 1) vars.bw_weight = weight === 1 ? '1' : weight

  beginRules(site.site)
  const verdict = decide(site.steps, request, liveTools)
  if (verdict !== undefined) {
    if (verdict.action !== 'allow') {
      respond(request, site.revision, verdict)
      return
    }
    note(verdict, 'pass')
  }
  if (request.observed !== undefined) note(request.observed, 'observe')
  const { bodyBytesMax } = site.settings
  if (bodyBytesMax > 0 && (tonumber(vars.http_content_length) ?? 0) > bodyBytesMax) {
    answer(413)
    return
  }
  takeRoute(context)
}

/** A name in the TLS handshake that another site has must not lead to this one (threat T21). */
function hasSameOwner(name: string, site: number): boolean {
  const other = hostEntry(name.toLowerCase())
  return other !== undefined && other.site.site === site
}

function believe(request: EdgeRequest, entry: HostEntry): void {
  const found = visitorAddress(
    { address: ngx.var.remote_addr as string, bytes: request.addressBytes },
    ngx.var.http_x_forwarded_for as string | undefined,
    { zone: zoneProxies, own: entry.site.settings.trustedProxies },
  )
  request.addressBytes = found.bytes
  ngx.var.bw_address = found.address
}
