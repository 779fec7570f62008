/** URLs to preheat, in the form that nodes get. */
import { parseUrl } from './purge-values.ts'

export type PreheatTarget = { host: string; url: string }

/** Undefined unless the text is a complete URL on the default port of http or https. */
export function preheatTarget(text: string): PreheatTarget | undefined {
  if (!/^https?:\/\//i.test(text)) return undefined
  const url = parseUrl(text)
  if (url?.port !== '') return undefined
  const host = url.hostname.replace(/\.$/, '')
  return { host, url: `${url.protocol}//${host}${url.pathname}${url.search}` }
}

/** The wildcard names (`*.`) that match a host, the most specific first. */
export const wildcardsOver = (host: string): string[] =>
  host
    .split('.')
    .slice(1)
    .map((_, i, labels) => `*.${labels.slice(i).join('.')}`)
