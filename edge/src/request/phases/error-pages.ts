/** Shows a site's own page in place of the edge's or the origin's. Clients that want JSON do not get it. */
import { type ErrorPage, fillPage } from '../delivery/error-pages.ts'
import { wantsJson } from '../lib/accept.ts'
import { type HostEntry, hostEntry } from '../sites/site-cache.ts'

/** No script runs, whatever the page contains, and it cannot access anything of the site. */
const policy =
  "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; font-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The page for a refusal: by its cause, or else by its status. */
export function pageFor(status: number, cause: number): ErrorPage | undefined {
  const pages = hostEntry(ngx.var.host as string)?.site.errorPages
  return pages === undefined ? undefined : (pages[cause] ?? pages[status])
}

export function pageText(page: ErrorPage, status: number, reference: string): string {
  return fillPage(page, { reference, host: ngx.var.host as string, status: `${status}` })
}

/** Sets the headers for such a page. */
export function sayPage(length: number): void {
  ngx.header['Content-Type'] = 'text/html; charset=utf-8'
  ngx.header['Content-Length'] = `${length}`
  ngx.header['Cache-Control'] = 'no-store'
  ngx.header['X-Content-Type-Options'] = 'nosniff'
  ngx.header['Content-Security-Policy'] = policy
}

/** The page that replaces an origin's response with this status, if there is one for this visitor. */
export function interceptedBy({ site }: HostEntry, status: number): ErrorPage | undefined {
  const page = status < 500 ? undefined : site.errorPages?.[status]
  if (page === undefined || !page.intercept) return undefined
  return wantsJson(ngx.var.http_accept as string | undefined) ? undefined : page
}

/** Rewrites the headers of the current response for the page. Returns the page, which replaces the body. */
export function replaceAnswer(page: ErrorPage): string {
  const { status } = ngx
  const text = pageText(page, status, '')
  for (const name of ['Content-Encoding', 'ETag', 'Last-Modified', 'Accept-Ranges', 'Expires', 'Transfer-Encoding'])
    ngx.header[name] = undefined
  sayPage(text.length)
  return text
}
