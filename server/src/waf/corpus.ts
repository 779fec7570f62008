/**
 * The requests that a rule set is tried on: ordinary requests, which it should pass, and attacks, which it should not.
 * The attacks are the positive regression tests of the Core Rule Set 3.3.4 (Apache-2.0) at paranoia level 1.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { benignTexts } from './benign-texts.ts'

type Row = [string, number, 0 | 1, string, string, string, Record<string, string>, string]

const around = { site: 1, host: 'www.example.com', address: '192.0.2.1', time: 1_800_000_000, country: 'ZZ' }
const browsers = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0',
]
const paths = [
  ...['/', '/index.html', '/products/42', '/de/%C3%BCber-uns', '/assets/app.3f9a2c.js', '/img/logo@2x.png'],
  ...['/blog/2026/07/a-day-at-the-sea', '/api/v1/items', '/search', '/cart', '/account/settings', '/feed.xml'],
]
const queries = [
  ...['', 'page=2&sort=price', 'utm_source=news&utm_medium=email&utm_campaign=summer_2026', 'id=42', 'v=1.2.3'],
  ...['filter%5Bcolor%5D=red&filter%5Bsize%5D=42', 'from=2026-07-01&to=2026-07-14', 'lang=zh-TW', 'q='],
]

const headersOf = (at: number): Record<string, string> => ({
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en-US,en;q=0.9,de;q=0.8',
  'user-agent': browsers[at % browsers.length]!,
  referer: 'https://www.example.com/products?page=1',
  cookie: `session=${(at * 2654435761).toString(16)}; theme=dark; _ga=GA1.2.1234567890.1700000000`,
})

/** Ordinary requests: pages with their parameters, and each text as a search, in a form and in JSON. */
export function benignRequests(): SimulatedRequest[] {
  const pages = paths.flatMap((path, n) =>
    queries.map((query, at) => ({ ...around, method: 'GET', path, query, headers: headersOf(n + at) })),
  )
  const typed = benignTexts.flatMap((text, at): SimulatedRequest[] => {
    const encoded = encodeURIComponent(text).replaceAll('%20', '+')
    return [
      { ...around, method: 'GET', path: '/search', query: `q=${encoded}&page=1`, headers: headersOf(at) },
      posted('application/x-www-form-urlencoded', `name=Ada+Lovelace&comment=${encoded}`, at),
      posted('application/json', JSON.stringify({ author: { name: 'Ada' }, comment: text, tags: ['a', 'b'] }), at),
    ]
  })
  return [...pages, ...typed]
}

const posted = (type: string, body: string, at: number): SimulatedRequest => ({
  ...{ ...around, method: 'POST', path: '/comments', query: '', body },
  headers: { ...headersOf(at), 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
})

/** Attacks whose rule is evaluated at the tested level, according to `isAsked`. */
export function attackRequests(isAsked: (rule: number) => boolean): SimulatedRequest[] {
  const rows = JSON.parse(gunzipSync(readFileSync(new URL('crs-3.3.4.json.gz', import.meta.url))).toString()) as Row[]
  return rows
    .filter(([, rule, matches]) => matches === 1 && rule >= 930_000 && isAsked(rule))
    .map(([, , , method, uri, , headers, body]) => {
      const mark = uri.indexOf('?')
      return {
        ...{ ...around, method, headers, body },
        ...{ path: mark < 0 ? uri : uri.slice(0, mark), query: mark < 0 ? '' : uri.slice(mark + 1) },
      }
    })
}
