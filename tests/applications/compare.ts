/**
 * Compares an answer through the edge with the origin's own. What the edge changes on purpose is listed here by name;
 * anything else is a difference.
 */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compressedTypes } from '@breakwater/contract/delivery/compression.ts'
import { type Answer, type Asking, header } from '../../edge/box/transparent/ask.ts'

export type Exchange = { asking: Asking; answer: Answer }

/** What differs between an application's answers by itself, with each request or with each start. */
export type Own = {
  /** Headers that are present on both sides with different values. */
  headers?: string[]
  /** Replaces the differing parts of a body, a path or a header; the results are compared. */
  text?: (text: string) => string
}

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'proxy-connection']

/** Headers that the edge adds or replaces, and their expected form. */
const ofEdge: Record<string, RegExp> = {
  'x-cache': /^(HIT|MISS|EXPIRED|STALE|UPDATING|REVALIDATED|DIRECT)$/,
  'x-request-id': /^[0-9a-f]{32}$/,
  // The software that answers: the edge's own, without a version.
  server: /^nginx$/,
}

/** Of a 304 only these headers have to match the origin's: a cache sends no others (RFC 9110, 15.4.5). */
const in304 = ['cache-control', 'content-location', 'etag', 'expires', 'vary', 'set-cookie', 'location']
/** A 416 that the edge generates for a stored object has its own page. */
const in416 = ['content-range']

const fromCache = ['HIT', 'STALE', 'UPDATING', 'REVALIDATED']
/** Whether the edge compresses this answer for clients that accept it. */
const isCompressible = (answer: Answer) =>
  compressedTypes.includes((header(answer, 'content-type') ?? '').split(';')[0]!.trim().toLowerCase() as never)

/** The differences as text; empty if the edge was transparent. */
export function differences(asking: Asking, origin: Answer, edge: Answer, own: Own = {}): string[] {
  const found: string[] = []
  const differ = (what: string, ours: unknown, theirs: unknown) => {
    if (JSON.stringify(ours) !== JSON.stringify(theirs))
      found.push(`${what}: origin ${shown(ours)}, edge ${shown(theirs)}`)
  }
  if (edge.status === 206 && isRangeOf(asking, origin, edge)) return edgeHeaders(edge)
  differ('status', origin.status, edge.status)
  found.push(...edgeHeaders(edge))
  if (edge.ms > origin.ms + 30_000) found.push(`${Math.round(edge.ms)} ms, at the origin ${Math.round(origin.ms)} ms`)
  const isCompressed = compressedByEdge(asking, origin, edge)
  const left = compared(origin, isCompressed)
  const right = compared(edge, isCompressed)
  if (isCompressed && !/accept-encoding|\*/i.test(header(edge, 'vary') ?? '')) found.push('compressed without Vary')
  const only = edge.status === 304 ? in304 : edge.status === 416 ? in416 : undefined
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    if (only !== undefined && !only.includes(name)) continue
    const [ours, theirs] = [left.get(name), right.get(name)]
    // An answer without content has no Content-Length (RFC 9110, 8.6).
    if (edge.status === 204 && name === 'content-length' && theirs === undefined) continue
    // A 206 itself shows that ranges are supported.
    if (edge.status === 206 && name === 'accept-ranges' && theirs === undefined) continue
    if (ours === undefined && isAllowedMore(name, theirs!, edge)) continue
    if (own.headers?.includes(name)) differ(`there is ${name}`, ours !== undefined, theirs !== undefined)
    else differ(name, ours?.map(own.text ?? same), theirs?.map(own.text ?? same))
  }
  differ('trailers', origin.trailers, edge.trailers)
  if (edge.status !== 416) differ('body', ...fromFirstDifference(plainBody(origin, own), plainBody(edge, own)))
  return found
}

const same = (text: string) => text

/** The edge's own headers, each present once. */
function edgeHeaders(edge: Answer): string[] {
  const found: string[] = []
  for (const [name, pattern] of Object.entries(ofEdge)) {
    const values = edge.lines.filter(([key]) => key === name).map(([, value]) => value)
    if (values.length !== 1 || !pattern.test(values[0]!)) found.push(`${name} of the edge: ${shown(values)}`)
  }
  const isStored = fromCache.includes(header(edge, 'x-cache') ?? '')
  const age = header(edge, 'age')
  if (isStored && !/^\d+$/.test(age ?? '')) found.push(`age of what was stored: ${shown(age)}`)
  const date = header(edge, 'date')
  if (date === undefined || Math.abs(Date.parse(date) - Date.now()) > 600_000) found.push(`date: ${shown(date)}`)
  return found
}

/** Headers that the edge may add. */
function isAllowedMore(name: string, values: string[], edge: Answer): boolean {
  const isCached = header(edge, 'x-cache') !== 'DIRECT'
  // A 304 built from a stored answer has that answer's headers, even if the origin's own 304 omits them.
  if (edge.status === 304) return isCached && in304.includes(name)
  if (edge.status === 416 && name === 'content-range') return /^bytes \*\/\d+$/.test(values.join())
  // Announces HTTP/3 where it is available.
  if (name === 'alt-svc') return /^h3=":\d+"; ma=\d+$/.test(values.join())
  // The edge serves ranges of what it stores.
  if (name === 'accept-ranges') return isCached && values.join() === 'bytes'
  return name === 'content-length' && values.join() === `${edge.body.length}`
}

/** Headers that must be equal, as values by name. */
function compared(answer: Answer, isCompressed: boolean): Map<string, string[]> {
  const lines = new Map<string, string[]>()
  const isStored = fromCache.includes(header(answer, 'x-cache') ?? '')
  // The edge would compress it for other clients, and says so in Vary.
  const mayBeCompressed = isCompressible(answer)
  for (const [name, value] of answer.lines) {
    if (ofConnection.includes(name) || name in ofEdge || name === 'date' || (name === 'age' && isStored)) continue
    if (isCompressed && ['content-encoding', 'content-length', 'accept-ranges'].includes(name)) continue
    // A 304 carries the visitor's ETag, which is weak if the edge compressed the answer.
    let kept = name === 'etag' && (isCompressed || answer.status === 304) ? value.replace(/^W\//, '') : value
    if (name === 'vary' && mayBeCompressed) {
      kept = withoutEncoding(value)
      if (kept === '') continue
    }
    // Relative to the answer's own date: the stored answer is older than the one it is compared with.
    if (name === 'expires' && Date.parse(value) > Date.parse(header(answer, 'date') ?? ''))
      kept = `${Math.round((Date.parse(value) - Date.parse(header(answer, 'date')!)) / 60_000)} min after the date`
    lines.set(name, [...(lines.get(name) ?? []), kept])
  }
  return lines
}

/** Text that the origin sent uncompressed, and that the edge compressed for a client that accepts it. */
function compressedByEdge(asking: Asking, origin: Answer, edge: Answer): boolean {
  const encoding = header(edge, 'content-encoding')
  if (encoding === undefined || header(origin, 'content-encoding') !== undefined) return false
  if (!asking.headers?.['accept-encoding']?.includes(encoding)) return false
  return origin.status === 200 && isCompressible(origin)
}

const withoutEncoding = (vary: string) =>
  vary
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part.toLowerCase() !== 'accept-encoding')
    .join(', ')

/** A range that the edge served from its store because the origin itself does not support ranges. */
function isRangeOf(asking: Asking, origin: Answer, edge: Answer): boolean {
  if (origin.status !== 200 || !asking.headers?.range || header(origin, 'accept-ranges') === 'none') return false
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header(edge, 'content-range') ?? '')
  if (range === null || !fromCache.includes(header(edge, 'x-cache') ?? '')) return false
  const [, from, to, all] = range.map(Number)
  return all === origin.body.length && edge.body.equals(origin.body.subarray(from, to! + 1))
}

function plainBody(answer: Answer, own: Own): string {
  const encoding = answer.body.length === 0 ? undefined : header(answer, 'content-encoding')
  const decoded = encoding === 'gzip' ? gunzipSync : encoding === 'br' ? brotliDecompressSync : undefined
  const text = (decoded && answer.status !== 206 ? decoded(answer.body) : answer.body).toString('latin1')
  return own.text ? own.text(text) : text
}

/** Long texts from the first difference on. */
function fromFirstDifference(ours: string, theirs: string): [string, string] {
  let at = 0
  while (at < ours.length && ours[at] === theirs[at]) at++
  return at < 100 ? [ours, theirs] : [`…${ours.slice(at - 30)}`, `…${theirs.slice(at - 30)}`]
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 160 ? `${text.slice(0, 160)}… (${text.length} characters)` : text
}

/**
 * Compares two runs of one scenario, request by request. Requests that a client sends concurrently may arrive in
 * another order: each is compared with the request of the same method and path.
 */
export function differencesOfRuns(origin: Exchange[], edge: Exchange[], own: Own = {}): string[] {
  const text = own.text ?? same
  const nameOf = ({ asking }: Exchange) => text(`${asking.method ?? 'GET'} ${asking.path}`)
  const waiting = [...origin]
  const found: string[] = []
  for (const exchange of edge) {
    const at = waiting.findIndex((one) => nameOf(one) === nameOf(exchange))
    if (at < 0) found.push(`${nameOf(exchange)}: only through the edge (${exchange.answer.status})`)
    else {
      const [twin] = waiting.splice(at, 1)
      const of = differences(exchange.asking, twin!.answer, exchange.answer, own)
      found.push(
        ...of.map((difference) => `${nameOf(exchange)} (${header(exchange.answer, 'x-cache')}): ${difference}`),
      )
    }
  }
  for (const one of waiting) found.push(`${nameOf(one)}: only at the origin (${one.answer.status})`)
  return found
}
