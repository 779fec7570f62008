/** After an answer was sent: counted, and the row told what only now is known. */
import type { OriginContext } from '../domains/toward-origin.ts'
import { settle } from '../domains/toward-origin.ts'
import type { RequestContext } from '../nginx/context.ts'
import { count, flush } from './counters.ts'
import { noteAnswer } from './vitals.ts'

export function logNow(): void {
  const vars = ngx.var
  const { request, origin, cause } = ngx.ctx as Partial<RequestContext> & { origin?: OriginContext }
  // A named location that answers for us has forgotten the context; the variables stay.
  const site = request === undefined ? tonumber(vars.bw_site) : request.site
  if (site === undefined || site === 0) return
  if (origin !== undefined) settle(origin)
  const cache = vars.bw_cache as string
  const asked = cache !== 'HIT' && tellOrigin(cache)
  const sent = tonumber(vars.bytes_sent) ?? 0
  const received = tonumber(vars.request_length) ?? 0
  const { status } = ngx
  const why = cause ?? tonumber(vars.bw_cause) ?? 0
  count(ngx.time(), site, status, why, cache, sent, received, asked)
  noteAnswer(status, why, ngx.now() - ngx.req.start_time())
  // Timers end when a worker begins to go; what it still serves is written at once.
  if (ngx.worker.exiting()) flush()
}

/** Writes the origin's part of the row; returns whether an origin was asked. */
function tellOrigin(cache: string): boolean {
  const vars = ngx.var
  if (cache === 'DIRECT') {
    if (vars.upstream_addr === undefined) return false
    tell(lastOf(`${vars.upstream_addr}`), lastOf(`${vars.upstream_status}`), lastOf(`${vars.upstream_response_time}`))
    return true
  }
  // STALE and UPDATING answered from the store; what renews it is the store's own affair.
  if (cache === '' || cache === 'STALE' || cache === 'UPDATING') return false
  const told = vars.upstream_http_x_bw_origin as string | undefined
  if (told === undefined) return true
  const words = told.split(' ')
  if (words.length === 3) tell(words[0]!, words[1]!, words[2]!)
  return true
}

function lastOf(list: string): string {
  const parts = list.split(', ')
  return parts[parts.length - 1] ?? ''
}

function tell(address: string, status: string, seconds: string): void {
  const vars = ngx.var
  vars.bw_origin_address = address
  vars.bw_origin_status = tonumber(status) ?? 0
  vars.bw_origin_time = math.floor((tonumber(seconds) ?? 0) * 1000 + 0.5)
}
