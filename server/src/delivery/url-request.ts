/** Builds the request for a query about a URL of a site. */
import type { UrlQuestion } from '@breakwater/contract/delivery/url-question.ts'
import type { SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { fieldFault } from '../http/fault.ts'
import { isHostOf } from '../nodes/purge-values.ts'

/** Puts the customer's own domains before the preview host: a bare path is taken to be of the first. */
export const ownFirst = (hosts: string[], preview: string): string[] => [
  ...hosts.filter((name) => name !== preview),
  preview,
]

/**
 * `hosts` are the site's; a bare path belongs to the first. Throws if the URL is invalid or its host is not the site's.
 */
export function requestOf(
  site: number,
  { method, url, headers }: UrlQuestion,
  hosts: string[],
  now: Date,
): SimulatedRequest {
  const text = url.startsWith('/') ? `https://${(hosts[0] ?? '').replace('*', 'www')}${url}` : url
  const found = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (!found) throw fieldFault('url', 'wrongFormat')
  const host = found.hostname
  if (!isHostOf(host, new Set(hosts))) throw fieldFault('url', 'notADomainOfThisSite')
  return {
    site,
    host,
    scheme: found.protocol === 'http:' ? 'http' : 'https',
    address: '0.0.0.0',
    method,
    ...targetOf(text),
    headers: { host, ...Object.fromEntries(headers.map(({ key, value }) => [key.toLowerCase(), value])) },
    time: Math.floor(now.getTime() / 1000),
  }
}

/** Path and query as they were written: the edge decides how to normalize them. */
function targetOf(text: string): { path: string; query: string } {
  const rest = text.replace(/^https?:\/\//i, '').replace(/#.*$/, '')
  const at = rest.search(/[/?]/)
  const target = at < 0 ? '/' : rest.slice(at)
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : target.slice(mark + 1) }
}
