/** The cache's two hops: the inner one decides what may be kept and for how long, the outer one says how old it is. */
import { decode, encode } from 'cjson.safe'
import { objectKey } from '../delivery/cache-key.ts'
import { type CacheChoice, cacheChoice } from '../delivery/cache-rules.ts'
import { type Freshness, freshness } from '../delivery/freshness.ts'
import { allowStale, allowsStale, look, mark, markUncacheable, overlay, setOverlay } from '../delivery/marks.ts'
import { noteTags, tagsOf } from '../delivery/tags.ts'
import { type OriginContext, towardOrigin } from '../domains/toward-origin.ts'
import { type HostEntry, hostEntry } from '../sites/current.ts'
import type { RequestContext } from './context.ts'
import { hasRoom } from './disk-room.ts'
import { changeHeaders } from './headers.ts'

type FetchContext = { entry: HostEntry; origin: OriginContext | undefined }

type Headers = Record<string, string | string[] | undefined>

/** The inner hop: chooses the origin. */
export function fetchNow(): void {
  const entry = hostEntry(ngx.var.host as string)
  if (entry === undefined) {
    ngx.exit(502)
    return
  }
  const origin = towardOrigin(entry, ngx.var.http_x_bw_address as string)
  const context: FetchContext = { entry, origin }
  ngx.ctx = context
  if (origin === undefined) ngx.exit(502)
}

function joined(value: string | string[] | undefined): string | undefined {
  return type(value) === 'table' ? (value as string[]).join(', ') : (value as string | undefined)
}

/** Headers that name a hop's own affairs in Connection end at that hop (RFC 9110, 7.6.1). */
function dropHopHeaders(): void {
  const connection = ngx.var.upstream_http_connection as string | undefined
  if (connection === undefined) return
  for (const part of connection.toLowerCase().split(',')) {
    const name = part.trim()
    const isOurs = ['', 'close', 'keep-alive', 'upgrade', 'cache-control', 'date'].includes(name)
    if (!isOurs) ngx.header[name] = undefined
  }
}

/** The object that the inner hop was asked for, and the rule about it. */
function objectOf(entry: HostEntry): { key: string; choice: CacheChoice | undefined } {
  const vars = ngx.var
  const { site } = entry
  const path = vars.uri as string
  const { rules } = site.cache
  const choice = rules === undefined ? undefined : cacheChoice(rules, path)
  const query = (vars.args as string | undefined) ?? ''
  return { choice, key: objectKey(site.site, vars.host as string, path, query, choice?.ignoreQuery === true) }
}

/** Where the inner hop reached no origin: broken off where the outer hop may use what is stale, else told. */
export function fetchFailedNow(tell: () => void): void {
  const entry = hostEntry(ngx.var.host as string)
  if (entry !== undefined && allowsStale(objectOf(entry).key)) ngx.exit(444)
  else tell()
}

/** The inner hop's answer: X-Accel-Expires is the one decision that the outer hop obeys. */
export function fetchHeadersNow(): void {
  const { entry } = ngx.ctx as FetchContext
  if (entry === undefined) return
  dropHopHeaders()
  const raw = ngx.resp.get_headers(100, true)
  const headers: Record<string, string | undefined> = {}
  for (const name in raw) headers[name.toLowerCase()] = joined(raw[name])
  const vars = ngx.var
  const { site } = entry
  const { key, choice } = objectOf(entry)
  if (ngx.status >= 500 && allowsStale(key)) {
    // The outer nginx takes what is stale where its upstream breaks off, not where it answers with an error.
    ngx.exit(ngx.ERROR)
    return
  }
  const now = ngx.time()
  const found = freshness(
    {
      status: ngx.status,
      headers,
      method: ngx.req.get_method(),
      hasAuthorization: vars.http_authorization !== undefined,
      now,
    },
    choice,
    ngx.parse_http_time,
  )
  const tags = tagsOf(headers['cache-tag'], headers['surrogate-key'])
  const isStored = found.isStored && hasRoom() && (tags.length === 0 || noteTags(site.site, key, tags))
  tellOuter(found, isStored, headers)
  if (isStored && found.staleIfError > 0) allowStale(key, found.staleIfError)
  if (found.isUncacheableForAll && ngx.status !== 304) markUncacheable(key, now)
  const variant = `${vars.http_x_bw_scheme}${vars.http_accept_encoding ?? ''}`
  if (ngx.status === 304) setOverlay(key, variant, renewed(raw, found))
  else if (isStored) setOverlay(key, variant, undefined)
}

/**
 * The outer hop's nginx reads Cache-Control too: for its extensions about stale answers, but also for words that would
 * overrule the decision. Where it holds such a word it travels behind the birth instead, and is put back out there.
 */
function tellOuter(found: Freshness, isStored: boolean, headers: Record<string, string | undefined>): void {
  ngx.header['X-Accel-Expires'] = isStored ? found.expires : '0'
  // A long answer to a slow visitor would be put aside on the disk.
  if (!hasRoom()) ngx.header['X-Accel-Buffering'] = 'no'
  ngx.header['X-BW-Birth'] = `${found.birth}`
  ngx.header['X-BW-Origin'] = `${ngx.var.upstream_addr} ${ngx.var.upstream_status} ${ngx.var.upstream_header_time}`
  // Meant for caches like this one, and for nobody behind it.
  if (headers['surrogate-control'] !== undefined) ngx.header['Surrogate-Control'] = undefined
  const control = headers['cache-control']
  if (!isStored || control === undefined) return
  const lower = control.toLowerCase()
  const overrules = ['no-cache', 'no-store', 'private'].some((word) => lower.indexOf(word) >= 0)
  if (overrules) {
    ngx.header['Cache-Control'] = undefined
    ngx.header['X-BW-Birth'] = `${found.birth} ${control}`
  } else if (!found.mayBeStale && lower.indexOf('stale-') >= 0) ngx.header['Cache-Control'] = withoutStale(control)
}

function withoutStale(control: string): string {
  return control
    .split(',')
    .filter((part) => part.indexOf('stale-') < 0)
    .join(',')
}

/** Headers that a 304 does not renew: they describe its message, or the stored body. */
const notRenewed = [
  'content-length',
  'content-encoding',
  'content-md5',
  'content-range',
  'transfer-encoding',
  'connection',
  'x-accel-expires',
  'set-cookie',
  'server',
  'keep-alive',
  'etag',
  'last-modified',
  'x-bw-origin',
]

function renewed(raw: Headers, found: Freshness): string {
  const headers: Headers = {}
  for (const name in raw) if (!notRenewed.includes(name.toLowerCase())) headers[name] = raw[name]
  headers['X-BW-Birth'] = `${found.birth}`
  return encode(headers)
}

/** The outer hop's answer. */
export function cachedHeadersNow(): void {
  const context = ngx.ctx as RequestContext
  if (context.entry === undefined) return
  const vars = ngx.var
  const status = vars.upstream_cache_status as string | undefined
  sayAge(context, status)
  const { responseHeaders } = context.entry
  if (responseHeaders !== undefined) changeHeaders(responseHeaders)
}

/** Tells how old the answer is, and puts back what the inner hop had to hide. */
function sayAge(context: RequestContext, status: string | undefined): void {
  const told = ngx.var.upstream_http_x_bw_birth as string | undefined
  if (told === undefined) return
  let birth = tonumber(told)
  if (birth === undefined) {
    const space = told.indexOf(' ')
    birth = tonumber(told.substring(0, space))
    ngx.header['Cache-Control'] = told.substring(space + 1)
  }
  if (status === 'MISS' || status === 'EXPIRED' || status === 'BYPASS') return
  const key = context.overlayKey ?? (status === 'REVALIDATED' ? objectOf(context.entry).key : undefined)
  if (key !== undefined) {
    look(key)
    const json = mark.hasOverlay ? overlay(key, variantOf()) : undefined
    const [headers] = json === undefined ? [undefined] : decode(json)
    if (headers !== undefined) birth = applyOverlay(headers as Headers) ?? birth
  }
  if (status === 'REVALIDATED') ngx.header.Age = '0'
  else if (birth !== undefined) ngx.header.Age = `${math.max(0, ngx.time() - birth)}`
}

function variantOf(): string {
  return `${ngx.var.scheme}${ngx.var.http_accept_encoding ?? ''}`
}

function applyOverlay(headers: Headers): number | undefined {
  let birth: number | undefined
  for (const name in headers) {
    if (name === 'X-BW-Birth') birth = tonumber(headers[name] as string)
    else ngx.header[name] = headers[name]
  }
  return birth
}
