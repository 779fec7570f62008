/** Answers with a redirect: by the domain's own rules, or to HTTPS. */
import { findRedirect, locationOf, type Redirects } from '../modules/redirects.ts'
import { node } from '../nginx/node.ts'
import { groupsOf } from '../nginx/regex-groups.ts'
import { configuration } from '../sites/configuration.ts'
import type { HostEntry } from '../sites/site-cache.ts'
import type { RequestContext } from './context.ts'
import { changeHeaders, sayHsts } from './headers.ts'
import { liveTools } from './live-tools.ts'

/** Returns true if the request was answered. */
export function redirect({ entry, request }: RequestContext, redirects: Redirects): boolean {
  const { path, host, query } = request
  const rule = findRedirect(redirects, path, liveTools)
  if (rule === undefined) return false
  const groups = rule.match === 'regex' ? groupsOf(rule.value, path) : []
  ngx.var.bw_rule = rule.id
  send(entry, 'urlRedirects', rule.status, locationOf(rule, { path, host, query }, groups))
  return true
}

/** Answers plain HTTP with the same URL over HTTPS. */
export function redirectToHttps({ entry, request }: RequestContext): void {
  const { httpsPort } = node()
  send(
    entry,
    'forceSsl',
    configuration().forceSSLRedirectCode,
    `https://${request.host}${httpsPort === 443 ? '' : `:${httpsPort}`}${ngx.var.request_uri}`,
  )
}

function send({ responseHeaders, site }: HostEntry, guard: string, status: number, location: string): void {
  const vars = ngx.var
  vars.bw_route = 'refused'
  vars.bw_guard = guard
  if (site.settings.hsts !== undefined) sayHsts(site.settings.hsts)
  if (responseHeaders !== undefined) changeHeaders(responseHeaders)
  ngx.header.Location = location
  ngx.header['Content-Length'] = '0'
  ngx.status = status
  // Otherwise nginx writes a page of its own.
  ngx.print('')
  ngx.exit(status)
}
