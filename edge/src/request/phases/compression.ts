/**
 * Compresses responses that the origin did not compress. nginx compresses whatever it is not kept from, so for a
 * response that must pass unchanged the request's Accept-Encoding is removed here, before nginx's own filters look at
 * it.
 */
import { isCompressed } from '../delivery/compression.ts'
import type { CompiledSite } from '../sites/compile.ts'

/**
 * Decides whether nginx may compress the current response, and returns it. `headers` are the origin's, by lower-case
 * name.
 */
export function allowCompression(site: CompiledSite, headers: Record<string, string | undefined>): boolean {
  const { compression } = site.settings
  const length = tonumber(headers['content-length'])
  const passes =
    compression === undefined ||
    headers['content-encoding'] !== undefined ||
    (length !== undefined && length < compression.minLength) ||
    !isCompressed(compression, headers['content-type']) ||
    (headers['cache-control'] ?? '').toLowerCase().indexOf('no-transform') >= 0
  if (passes) ngx.req.clear_header('Accept-Encoding')
  else varyByEncoding(headers.vary)
  return !passes
}

/** Tells downstream caches that the response depends on which encodings the client accepts. */
function varyByEncoding(vary: string | undefined): void {
  if (vary === undefined) ngx.header.Vary = 'Accept-Encoding'
  else if (vary !== '*' && vary.toLowerCase().indexOf('accept-encoding') < 0)
    ngx.header.Vary = `${vary}, Accept-Encoding`
}
