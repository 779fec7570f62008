/**
 * Two days of made-up traffic for the demo's site, so that charts have something to show: a daily curve, visitors from
 * all over the world, an attack this morning.
 */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { queryRows } from '../events/store.ts'

const hours = 48
const rowsAnHour = 1_500
/** Each made-up row stands for this many requests: days of a shop in a few thousand rows. */
const weight = 12

type Where = { site: number; node: number; zone: number; host: string }

const countries = ['TW', 'TW', 'TW', 'JP', 'US', 'US', 'HK', 'SG', 'DE', 'FR', 'GB', 'KR', 'AU', 'BR', 'IN', 'VN']
const attackers = ['RU', 'CN', 'CN', 'UA', 'BR', 'ID', 'IR', 'TR']
/** Autonomous systems of large access providers, and of some hosting providers. */
const visitorNetworks = [3462, 4780, 9924, 7922, 3320, 2516, 4766, 0]
const attackerNetworks = [14061, 16276, 24940, 0]
const pages = ['/', '/', '/product/1', '/product/2', '/product/3', '/cart', '/static/site.css', '/static/site.js']
const more = ['/img/hero.avif', '/search', '/api/v2/cart', '/missing', '/favicon.ico']
const browsers = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0',
]
const referers = ['', '', 'https://www.google.com/', 'https://t.co/', 'https://news.ycombinator.com/']
const upTo = (n: number) => Math.floor(Math.random() * n)
const pick = <T>(from: readonly T[]): T => from[upTo(from.length)]!

/** Does nothing if the site has earlier rows: the demo was started before. */
export async function fillHistory(events: ClickHouseClient, where: Where, nowMs = Date.now()): Promise<void> {
  const [known] = await queryRows<{ n: number }>(
    events,
    "SELECT count() AS n FROM requests_raw_v1 WHERE site = {site:UInt32} AND time < toDateTime({before:UInt32}, 'UTC')",
    { site: where.site, before: Math.floor(nowMs / 1000) - 3600 },
  )
  if ((known?.n ?? 0) > 0) return
  for (let hour = hours; hour > 0; hour -= 1) {
    const from = nowMs / 1000 - hour * 3600
    // Busy in the evening, quiet at night.
    const share = 0.55 + 0.45 * Math.sin(((hour + 4) / 24) * 2 * Math.PI)
    const rows = Array.from({ length: Math.round(rowsAnHour * share) }, () => visit(where, from + Math.random() * 3600))
    if (hour >= 5 && hour <= 7) rows.push(...Array.from({ length: rowsAnHour }, () => attack(where, from, hour)))
    await events.insert({ table: 'requests_raw_v1', values: rows, format: 'JSONEachRow' })
  }
  await events.command({
    query: `INSERT INTO counters_per_minute_v1 (minute, node, zone, site, status, cause, cache, action, boot, sequence,
        requests, bytesSent, bytesReceived, originRequests)
      SELECT toStartOfMinute(time) AS minute, node, zone, site, status, cause, cache, action, '0000000000000000', 1,
        sum(weight), sum(bytesSent * weight), sum(bytesReceived * weight), sumIf(weight, originStatus > 0)
      FROM requests_raw_v1 WHERE site = {site:UInt32} AND time < fromUnixTimestamp64Milli({now:Int64}, 'UTC')
      GROUP BY minute, node, zone, site, status, cause, cache, action`,
    query_params: { site: where.site, now: Math.floor(nowMs) },
  })
}

function row(where: Where, time: number) {
  return {
    time: new Date(time * 1000).toISOString().replace('T', ' ').replace('Z', ''),
    node: where.node,
    zone: where.zone,
    site: where.site,
    revision: 1,
    requestId: Array.from({ length: 32 }, () => upTo(16).toString(16)).join(''),
    domain: where.host,
    method: 'GET',
    scheme: pick(['https', 'https', 'https', 'http']),
    httpVersion: pick(['2', '2', '2', '3', '1.1']),
    query: '',
    cause: causes.none as number,
    guard: '',
    rule: 0,
    route: 'cached',
    bytesReceived: 300 + upTo(900),
    requestTime: 2 + upTo(180),
    contentType: 'text/html',
    weight,
  }
}

function visit(where: Where, time: number) {
  const cache = pick(['HIT', 'HIT', 'HIT', 'HIT', 'HIT', 'MISS', 'EXPIRED', 'BYPASS'])
  const path = pick(Math.random() < 0.75 ? pages : more)
  const status = path === '/missing' ? 404 : pick([...Array<number>(40).fill(200), 304, 304, 302, 502])
  const isFetched = cache !== 'HIT'
  return {
    ...row(where, time),
    address: `203.0.${113 - upTo(3)}.${upTo(250)}`,
    country: pick(countries),
    asn: pick(visitorNetworks),
    method: path.startsWith('/api') ? 'POST' : 'GET',
    path,
    status,
    action: 'pass',
    cache,
    bytesSent: 2_000 + upTo(path.endsWith('.avif') ? 160_000 : 60_000),
    originTime: isFetched ? 20 + upTo(300) : 0,
    originAddress: isFetched ? '127.0.0.1:80' : '',
    originStatus: isFetched ? status : 0,
    referer: pick(referers),
    userAgent: pick(browsers),
  }
}

const refusals = [
  { status: 403, cause: causes.denyList, guard: 'denyRules', action: 'block' },
  { status: 429, cause: causes.rateLimit, guard: 'rateRules', action: 'block' },
  { status: 429, cause: causes.rateLimit, guard: 'rateRules', action: 'block' },
  { status: 503, cause: causes.challenge, guard: 'challenge', action: 'challenge' },
] as const

/** An attack that rises, stays, and falls within three hours. */
function attack(where: Where, from: number, hour: number) {
  const at = hour === 6 ? Math.random() : hour === 7 ? Math.sqrt(Math.random()) : 1 - Math.sqrt(Math.random())
  return {
    ...row(where, from + at * 3600),
    address: `198.51.100.${Math.floor(Math.random() ** 3 * 60)}`,
    country: pick(attackers),
    asn: pick(attackerNetworks),
    path: pick(['/login', '/login', '/wp-login.php', '/xmlrpc.php', '/api/v2/cart']),
    method: 'POST',
    cache: '',
    bytesSent: 1_200,
    originTime: 0,
    originAddress: '',
    originStatus: 0,
    referer: '',
    userAgent: pick(['python-requests/2.31', 'curl/8.5.0', 'Go-http-client/2.0']),
    ...pick(refusals),
  }
}
