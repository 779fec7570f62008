/** The last steps before an origin: which one, how to reach it, what it is told. Runs on the inner hop and on the direct route. */
import { set_current_peer, set_more_tries, set_timeouts } from 'ngx.balancer'
import type { CompiledSite } from '../sites/compile.ts'
import type { HostEntry } from '../sites/current.ts'
import { type Origin, orderOrigins } from './origins.ts'

export type OriginContext = { site: CompiledSite; order: Origin[]; tried: number }

/** Chooses the origins of a request. Answers 502 where there is none. */
export function towardOrigin(entry: HostEntry, key: string): OriginContext | undefined {
  const order = orderOrigins(entry.domain.origins, key, () => false)
  if (order.length === 0) return undefined
  ngx.var.bw_upstream = order[0]!.tls ? 'https://origin_tls' : 'http://origin'
  return { site: entry.site, order, tried: 0 }
}

/** nginx asks here for an address, once for each try. */
export function balance(context: OriginContext): void {
  const { site, order } = context
  if (context.tried === 0) {
    if (order.length > 1) set_more_tries(order.length - 1)
    set_timeouts(site.connectTimeout, site.readTimeout, site.readTimeout)
  }
  const origin = order[context.tried % order.length]!
  context.tried++
  set_current_peer(origin.host, origin.port)
}
