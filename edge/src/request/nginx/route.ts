/** The route of a request that may pass: through the cache, or straight to an origin, streaming. */
import type { EdgeRequest } from '../guard.ts'
import type { HostEntry } from '../sites/current.ts'
import { keepContext } from './context.ts'

/** Ends in the location that carries the request on. The cached route is the one we are in: it needs no jump. */
export function takeRoute(entry: HostEntry, request: EdgeRequest): void {
  void entry
  ngx.var.bw_route = 'direct'
  keepContext()
  ngx.exec('@direct')
  void request
}
