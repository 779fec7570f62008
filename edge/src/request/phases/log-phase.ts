/** Runs after a response was sent: counts the request, and completes the log row with what is known only now. */

import type { longHeader as longHeaderOf } from '@breakwater/contract/edge/events.ts'
import { clientClosed, noteAborted } from '../clients/aborted-requests.ts'
import { knownBot } from '../clients/verified-bots.ts'
import { parseAddress } from '../lib/address.ts'
import type { EdgeRequest } from '../lib/guard.ts'
import { count, flush } from '../logs/counters.ts'
import { noteAnswer, noteOrigin } from '../memory/vitals.ts'
import { countryOf, unknownCountry } from '../nginx/countries.ts'
import { asnOf } from '../nginx/networks.ts'
import { noteTraffic } from '../nginx/tallies.ts'
import { lengthOf } from '../nginx/variables.ts'
import { dropContext, type RequestContext } from './context.ts'
import { tellLeak } from './leak.ts'
import { logAll, logNothing } from './log-row.ts'
import type { OriginContext } from './toward-origin.ts'
import { addressAsked, lastOf, settle } from './toward-origin.ts'

const longHeader: typeof longHeaderOf = 512

export function logNow(): void {
  const vars = ngx.var
  const context = ngx.ctx as Partial<RequestContext> & { origin?: OriginContext }
  const { entry, request, origin, isSliced } = context
  // A named location that answers for us no longer has the context; the variables remain.
  const site = request === undefined ? tonumber(vars.bw_site) : request.site
  if (site === undefined || site === 0) {
    logNothing()
    return
  }
  if (origin !== undefined) {
    dropContext()
    settle(origin)
  } else if (isSliced === true) dropContext()
  if (request !== undefined) tellBot(request)
  tellPlace(request === undefined ? parseAddress(vars.bw_address as string) : request.addressBytes)
  const cache = context.isHit === true ? 'HIT' : (vars.bw_cache as string)
  const received = tonumber(vars.request_length) ?? 0
  if (cache !== 'HIT' || hasLongText(context.isTls === false, received)) logAll()
  const asked = cache !== 'HIT' && tellOrigin(cache, origin)
  if (asked) tellLeak()
  const sent = tonumber(vars.bytes_sent) ?? 0
  const { status } = ngx
  if (status === clientClosed) noteAborted()
  const { cause, action } = context
  const why = cause ?? tonumber(vars.bw_cause) ?? 0
  const done = action ?? (vars.bw_action as string)
  count(ngx.time(), site, status, why, cache, done, sent, received, asked)
  const threshold = request === undefined ? undefined : entry?.site.attackThreshold
  if (threshold !== undefined) noteTraffic(site, threshold, asked, asked && status >= 500 && why === 0)
  noteAnswer(status, why, ngx.now() - ngx.req.start_time())
  // Timers end when a worker begins to exit; what it still serves is written at once.
  if (ngx.worker.exiting()) flush()
}

/**
 * Whether the row must truncate a header. Only TLS has HTTP/2 and HTTP/3, whose headers are compressed: any other request
 * is longer than each of its headers. `received` is in bytes.
 */
function hasLongText(isPlainText: boolean, received: number): boolean {
  if (isPlainText && received <= longHeader) return false
  return lengthOf('http_user_agent') > longHeader || lengthOf('http_referer') > longHeader
}

/**
 * Writes the client's country and network, for hits too: a list without hits would cover few requests. The visitor does
 * not wait for it here, the files are already mapped, and a search takes a fraction of a microsecond.
 */
function tellPlace(addressBytes: string | undefined): void {
  if (addressBytes === undefined) return
  const country = countryOf(addressBytes)
  if (country !== unknownCountry) ngx.var.bw_country = country
  const asn = asnOf(addressBytes)
  if (asn !== 0) ngx.var.bw_asn = asn
}

/**
 * Notes that the client is a verified bot, so that those who read the log or test rules on it know what challenges let
 * pass.
 */
function tellBot(request: EdgeRequest): void {
  const bot = knownBot(request)
  if (bot === undefined) return
  logAll()
  ngx.var.bw_bot = bot
}

/** Writes the origin's part of the row. Returns whether an origin was asked. */
function tellOrigin(cache: string, origin: OriginContext | undefined): boolean {
  const vars = ngx.var
  if (cache === 'DIRECT') {
    if (vars.upstream_addr === undefined) return false
    const address = origin === undefined ? lastOf(`${vars.upstream_addr}`) : addressAsked(origin)
    tell(address, lastOf(`${vars.upstream_status}`), lastOf(`${vars.upstream_response_time}`))
    return true
  }
  // STALE and UPDATING were answered from the cache; the renewal in the background is not part of this request.
  if (cache === '' || cache === 'STALE' || cache === 'UPDATING') return false
  const told = vars.upstream_http_x_bw_origin as string | undefined
  if (told === undefined) return true
  // It read another request's fetch: no origin was asked for this one.
  if (told === 'shared') return false
  const words = told.split(' ')
  if (words.length >= 3) tell(words[0] === '-' ? '' : words[0]!, words[1]!, words[2]!)
  if (words.length === 4) vars.bw_origin_failure = words[3]
  return true
}

function tell(address: string, status: string, seconds: string): void {
  const vars = ngx.var
  vars.bw_origin_address = address
  vars.bw_origin_status = tonumber(status) ?? 0
  const ms = math.floor((tonumber(seconds) ?? 0) * 1000 + 0.5)
  vars.bw_origin_time = ms
  noteOrigin(ms)
}
