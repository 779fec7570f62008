/** URLs to preheat, in the form that nodes get them. */
import { parseUrl } from './purge-values.ts'

export type PreheatTarget = { host: string; url: string }

/** Nothing where it is no whole URL of the ports of http and https. */
export function preheatTarget(text: string): PreheatTarget | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined
  const url = parseUrl(text)
  if (url?.port !== '') return undefined
  const host = url.hostname.replace(/\.$/, '')
  return { host, url: `${url.protocol}//${host}${url.pathname}${url.search}` }
}

/** The names with `*.` that a host could belong to, the nearest first. */
export const wildcardsOver = (host: string): string[] =>
  host
    .split('.')
    .slice(1)
    .map((_, i, labels) => `*.${labels.slice(i).join('.')}`)
