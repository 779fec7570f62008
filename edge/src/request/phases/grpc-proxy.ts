/**
 * The gRPC route: HTTP/2 to the origin, streaming both ways, trailers included. nginx contacts the origin itself,
 * because the relay speaks HTTP/1.1. It verifies only against the CAs in its configuration, so a site that verifies its
 * origins in another way, or shows them a client certificate, has no gRPC calls over TLS: better none than calls to an
 * unverified server.
 */
import { noteAsked } from '../domains/failures.ts'
import type { HostEntry } from '../sites/site-cache.ts'
import { sayPrivate } from './authenticate.ts'
import type { RequestContext } from './context.ts'
import { keepContext, takeContext } from './context.ts'
import { changeHeaders, sayHsts, sayOnce } from './headers.ts'
import { type OriginContext, requestId, towardOrigin } from './toward-origin.ts'

type CallContext = RequestContext & { origin?: OriginContext }

/** The location for a site's gRPC calls. */
export const callPlace = ({ site }: HostEntry): string =>
  site.settings.originTls.verify === 'off' ? '@grpc' : '@grpcVerified'

const isVerifiable = ({ site }: HostEntry): boolean => {
  const { verify } = site.settings.originTls
  return (verify === 'off' || verify === 'system') && site.settings.originCertificate === undefined
}

export function callNow(): void {
  takeContext()
  const context = ngx.ctx as CallContext
  const { entry, request } = context
  const { bw_address: address, scheme } = ngx.var
  context.origin = towardOrigin(entry, address as string, scheme as string, request.originHeaders, true)
  if (context.origin === undefined) {
    ngx.exit(502)
    return
  }
  const isTls = context.origin.peers[0]!.origin.tls
  if (isTls && !isVerifiable(entry)) {
    noteAsked(requestId(), '', 'tls')
    ngx.exit(502)
    return
  }
  const { serverName } = entry.site.settings.originTls
  if (serverName !== undefined) ngx.var.bw_origin_name = serverName
  ngx.var.bw_upstream = isTls ? 'grpcs://call_tls' : 'grpc://call'
  // If the origin does not answer, nginx jumps to the location for unreachable origins.
  keepContext()
}

export function callHeadersNow(): void {
  const context = ngx.ctx as CallContext
  if (context.entry === undefined) return
  sayOnce()
  const { responseHeaders, site } = context.entry
  if (site.settings.hsts !== undefined) sayHsts(site.settings.hsts)
  if (responseHeaders !== undefined) changeHeaders(responseHeaders)
  if (context.request.headers !== undefined) changeHeaders(context.request.headers)
  if (context.isProtected) sayPrivate()
}
