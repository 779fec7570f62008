/**
 * Compression where the origin did none. nginx compresses whatever it is not kept from, so everything that shall pass as
 * it is loses its Accept-Encoding here, before nginx' own filters look at it.
 */
import { isCompressed } from '../delivery/compression.ts'
import type { CompiledSite } from '../sites/compile.ts'

/** Decides on the answer that is passing, and says whether nginx may compress it. `headers` are the origin's, by lower-case name. */
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

/** Says to caches behind us that the answer depends on what the client can decode. */
function varyByEncoding(vary: string | undefined): void {
  if (vary === undefined) ngx.header.Vary = 'Accept-Encoding'
  else if (vary !== '*' && vary.toLowerCase().indexOf('accept-encoding') < 0)
    ngx.header.Vary = `${vary}, Accept-Encoding`
}
