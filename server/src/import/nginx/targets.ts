/** Converts the targets of `return` and `rewrite` into redirect targets. */
import type { UrlRedirect } from '@breakwater/contract/modules/url-redirects.ts'
import type { z } from 'zod'

export type Redirect = z.input<typeof UrlRedirect>
export type RedirectStatus = z.output<typeof UrlRedirect>['statusCode']

type Target = { target: string; keepQuery: boolean }

/**
 * The target of a text with variables; undefined if one has no equivalent here. `keepsQuery` is the default, which is
 * true for `rewrite`.
 */
export function targetOf(text: string, name: string, keepsQuery = false): Target | undefined {
  let target = text.replaceAll(/\$\{(\w+)\}/g, '$$$1')
  let keepQuery = keepsQuery
  if (keepsQuery && target.endsWith('?')) {
    target = target.slice(0, -1)
    keepQuery = false
  }
  // Some variables include the query.
  const withQuery = /(\$request_uri|\$uri\$is_args\$args|\$uri\?\$(args|query_string))$/
  if (withQuery.test(target)) {
    target = target.replace(withQuery, '$$path')
    keepQuery = true
  }
  const query = /(\$is_args|\?)\$(args|query_string)$/
  if (query.test(target)) {
    target = target.replace(query, '')
    keepQuery = true
  }
  target = target
    .replace(/^\$scheme:/, 'https:')
    .replaceAll(/\$(http_host|host)\b/g, '$$host')
    .replaceAll(/\$server_name\b/g, () => name)
    .replaceAll(/\$(document_)?uri\b/g, '$$path')
  // The path itself begins with a slash.
  target = target.replace(/\/\$path$/, '$$path')
  const rest = target.replaceAll(/\$(?:[1-9]|host\b|path\b)/g, '')
  return rest.includes('$') || target === '' ? undefined : { target, keepQuery }
}

/** The host of a target: `$host` for the visitor's own, empty if there is none. */
export const hostOf = (target: string): string =>
  /^https?:\/\/([^/:?$]+|\$host)/i.exec(target)?.[1]?.toLowerCase() ?? ''

/** Whether a redirect sends every path to the same path on another host. */
export const isWhole = ({ urlRegex, target }: Pick<Redirect, 'urlRegex' | 'target'>): boolean =>
  urlRegex === '^/' && /^https?:\/\/[^/]+\$path$/i.test(target)

/** Status and text of `return`; a URL alone means 302. */
export function returned(args: readonly string[]): { status: number; text: string } {
  const [first = '', text = ''] = args
  return /^\d{3}$/.test(first) ? { status: Number(first), text } : { status: 302, text: first }
}

export const isRedirect = (status: number): status is RedirectStatus => [301, 302, 303, 307, 308].includes(status)
