/** Shows a site's own page in place of the edge's, or of its origin's. Programs that want JSON get none. */
import { type ErrorPage, fillPage } from '../delivery/error-pages.ts'
import { wantsJson } from '../lib/accept.ts'
import { type HostEntry, hostEntry } from '../sites/site-cache.ts'

/** No script runs, whatever the page holds, and nothing of the site's can be reached from it. */
const policy =
  "sandbox allow-popups; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; font-src https: data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The page for a refusal: by its cause, else by its status. */
export function pageFor(status: number, cause: number): ErrorPage | undefined {
  const pages = hostEntry(ngx.var.host as string)?.site.errorPages
  return pages === undefined ? undefined : (pages[cause] ?? pages[status])
}

export function pageText(page: ErrorPage, status: number, reference: string): string {
  return fillPage(page, { reference, host: ngx.var.host as string, status: `${status}` })
}

/** Says what kind of page it is. */
export function sayPage(length: number): void {
  ngx.header['Content-Type'] = 'text/html; charset=utf-8'
  ngx.header['Content-Length'] = `${length}`
  ngx.header['Cache-Control'] = 'no-store'
  ngx.header['X-Content-Type-Options'] = 'nosniff'
  ngx.header['Content-Security-Policy'] = policy
}

/** The page in place of an origin's answer with this status, where there is one for the visitor. */
export function interceptedBy({ site }: HostEntry, status: number): ErrorPage | undefined {
  const page = status < 500 ? undefined : site.errorPages?.[status]
  if (page === undefined || !page.intercept) return undefined
  return wantsJson(ngx.var.http_accept as string | undefined) ? undefined : page
}

/** Of an answer that passes: its head is made the page's. Returns what takes the place of its body. */
export function replaceAnswer(page: ErrorPage): string {
  const { status } = ngx
  const text = pageText(page, status, '')
  for (const name of ['Content-Encoding', 'ETag', 'Last-Modified', 'Accept-Ranges', 'Expires', 'Transfer-Encoding'])
    ngx.header[name] = undefined
  sayPage(text.length)
  return text
}
