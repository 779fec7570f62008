/** Generates log rows; the same seed gives the same rows. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { CounterRow, RequestRow } from '@breakwater/contract/edge/events.ts'

/** A repeatable sequence of numbers from 0 to 1. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 4294967296
  }
}

const countries = ['TW', 'US', 'DE', 'JP', 'FR', 'BR', 'IN', 'ZZ']
const networks = [0, 13_335, 4_200_000_000]
const caches = ['HIT', 'HIT', 'HIT', 'MISS', 'EXPIRED', 'BYPASS', 'STALE', '']
const statuses = [...Array<number>(16).fill(200), 206, 304, 404, 502]
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15',
  'curl/8.5.0',
]

/** A request that passed. */
export function makeRow(over: Partial<RequestRow> = {}): RequestRow {
  return {
    time: Math.floor(Date.now() / 1000) - 60,
    node: 1,
    zone: 1,
    site: 1,
    revision: 1,
    requestId: Array.from({ length: 4 }, () => Math.random().toString(16).slice(2, 10).padEnd(8, '0')).join(''),
    domain: 'www.example.com',
    address: '192.0.2.1',
    country: 'TW',
    method: 'GET',
    scheme: 'https',
    httpVersion: '2',
    path: '/',
    query: '',
    status: 200,
    cause: causes.none,
    guard: '',
    rule: 0,
    action: 'pass',
    cache: 'MISS',
    route: 'cached',
    bytesSent: 1000,
    bytesReceived: 300,
    requestTime: 12,
    originTime: 10,
    originAddress: '192.0.2.80:443',
    originStatus: 200,
    referer: '',
    userAgent: 'curl/8.5.0',
    contentType: 'text/html',
    weight: 1,
    ...over,
  }
}

const refusals = [
  { status: 403, cause: causes.denyList, guard: 'denyRules', action: 'block' },
  { status: 429, cause: causes.rateLimit, guard: 'rateRules', action: 'block' },
  { status: 503, cause: causes.challenge, guard: 'challenge', action: 'challenge' },
  { status: 403, cause: causes.accessRule, guard: 'bodyRules', action: 'block' },
] as const

/** Traffic of some sites over a time span (epoch seconds, `to` exclusive), partly refused, partly sampled. */
export function makeTraffic(
  count: number,
  span: { from: number; to: number; sites: number[]; seed?: number },
): RequestRow[] {
  const random = randomOf(span.seed ?? 12_345)
  const upTo = (n: number) => Math.floor(random() * n)
  return Array.from({ length: count }, (_, i) => {
    const site = span.sites[upTo(span.sites.length)]!
    const refusal = random() < 0.1 ? refusals[upTo(refusals.length)] : undefined
    const cache = refusal ? '' : caches[upTo(caches.length)]!
    const originStatus = refusal || cache === 'HIT' || cache === 'STALE' ? 0 : 200
    const status = refusal?.status ?? statuses[upTo(statuses.length)]!
    return makeRow({
      time: Math.round((span.from + random() * (span.to - span.from - 0.001)) * 1000) / 1000,
      site,
      revision: 1 + upTo(5),
      requestId: `${String(span.seed ?? 0).padStart(8, '0')}${i.toString(16).padStart(24, '0')}`,
      domain: `${['www', 'api', 'static'][upTo(3)]}.site${site}.example.com`,
      address: random() < 0.2 ? `2001:db8::${upTo(500).toString(16)}` : `198.51.${upTo(4)}.${upTo(250)}`,
      country: countries[upTo(countries.length)]!,
      asn: networks[i % networks.length]!,
      path: `/assets/${upTo(20)}/file-${upTo(50)}.js`,
      query: random() < 0.3 ? `v=${upTo(1e6)}` : '',
      status,
      cause: refusal?.cause ?? causes.none,
      guard: refusal?.guard ?? '',
      rule: refusal ? 1 + upTo(5) : 0,
      action: refusal?.action ?? 'pass',
      cache,
      route: refusal ? 'refused' : 'cached',
      bytesSent: upTo(200_000),
      bytesReceived: upTo(2_000),
      requestTime: upTo(1_000),
      originTime: originStatus === 0 ? 0 : upTo(900),
      originStatus,
      referer: random() < 0.5 ? `https://www.site${site}.example.com/page/${upTo(100)}` : '',
      userAgent: agents[upTo(agents.length)]!,
      weight: random() < 0.2 ? 10 : 1,
    })
  })
}

/** A row of exact counters. */
export function makeCounter(over: Partial<CounterRow> = {}): CounterRow {
  return {
    minute: Math.floor(Date.now() / 60_000) * 60 - 60,
    node: 1,
    zone: 1,
    site: 1,
    status: 200,
    cause: 0,
    cache: 'HIT',
    action: 'pass',
    requests: 10,
    bytesSent: 1_000,
    bytesReceived: 100,
    originRequests: 0,
    ...over,
  }
}

/** The exact counters for these rows, each counted with its weight. */
export function countersOf(rows: RequestRow[]): CounterRow[] {
  return rows.map(({ time, node, zone, site, status, cause, cache, action, weight, ...row }) => ({
    minute: Math.floor(time / 60) * 60,
    node,
    zone,
    site,
    status,
    cause,
    cache,
    action,
    requests: weight,
    bytesSent: row.bytesSent * weight,
    bytesReceived: row.bytesReceived * weight,
    originRequests: row.originStatus > 0 ? weight : 0,
  }))
}

/** Rows as a node uploads them. */
export const ndjson = (rows: object[]): Buffer => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
