/** Tells browsers which pages may read the edge's responses, and answers CORS preflight requests (Fetch, 3.2). */
import { type Cors, mayRead } from '../modules/cors.ts'
import type { RequestContext } from './context.ts'

/** The Origin header of the request, if any. Saved early because the cached route removes it from the request. */
export const askingOrigin = (): string | undefined => ngx.var.http_origin as string | undefined

/** Whether the request is a CORS preflight. */
export function isPreflight(method: string): boolean {
  if (method !== 'OPTIONS') return false
  return ngx.var.http_origin !== undefined && ngx.var.http_access_control_request_method !== undefined
}

/** Answers a preflight; `sayCors` adds the headers, as to every response. */
export function answerPreflight(context: RequestContext): void {
  const vars = ngx.var
  vars.bw_route = 'refused'
  vars.bw_guard = 'cors'
  context.isPreflight = true
  ngx.status = 204
  ngx.print('')
  ngx.exit(204)
}

/**
 * Sets the CORS headers on every response of the domain. Replaces whatever the origin sent. A page that may not read
 * the response gets no headers.
 */
export function sayCors(cors: Cors, { corsOrigin: origin, isPreflight: isAsked }: RequestContext): void {
  const given = ngx.header
  given['Access-Control-Allow-Origin'] = undefined
  given['Access-Control-Allow-Credentials'] = undefined
  given['Access-Control-Expose-Headers'] = undefined
  given['Access-Control-Allow-Methods'] = undefined
  given['Access-Control-Allow-Headers'] = undefined
  given['Access-Control-Max-Age'] = undefined
  if (isAsked) given.Vary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'
  else if (!cors.isForAll) varyByOrigin()
  if (origin === undefined || !mayRead(cors, origin)) return
  given['Access-Control-Allow-Origin'] = cors.isForAll ? '*' : origin
  if (cors.credentials) given['Access-Control-Allow-Credentials'] = 'true'
  if (isAsked) permit(cors)
  else if (cors.exposed !== '') given['Access-Control-Expose-Headers'] = cors.exposed
}

/** Says which methods and headers may be sent. */
function permit(cors: Cors): void {
  const asked = ngx.var.http_access_control_request_headers as string | undefined
  const headers = cors.headers === '*' ? asked : cors.headers
  ngx.header['Access-Control-Allow-Methods'] = cors.methods
  if (headers !== undefined && headers !== '') ngx.header['Access-Control-Allow-Headers'] = headers
  ngx.header['Access-Control-Max-Age'] = cors.maxAge
}

/** Tells downstream caches that the response depends on the Origin header. */
function varyByOrigin(): void {
  const vary = ngx.header.Vary as string | string[] | undefined
  if (vary === undefined) {
    ngx.header.Vary = 'Origin'
    return
  }
  const all = type(vary) === 'table' ? (vary as string[]).join(', ') : (vary as string)
  if (all !== '*' && all.toLowerCase().indexOf('origin') < 0) ngx.header.Vary = `${all}, Origin`
}
