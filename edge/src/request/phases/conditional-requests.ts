/**
 * Conditional requests (RFC 9110, 13). nginx answers them for stored responses. Where the response is not stored, its
 * cache has removed the conditions from the request, and the origin has sent the whole page.
 */

/** Turns the current response into a 304 if the visitor already has it. */
export function answerNotModified(): void {
  if (ngx.status !== 200 || !isNotModified()) return
  ngx.status = 304
  for (const name of ['Content-Length', 'Content-Type', 'Content-Encoding', 'Accept-Ranges', 'Transfer-Encoding'])
    ngx.header[name] = undefined
}

function isNotModified(): boolean {
  const vars = ngx.var
  const tags = vars.http_if_none_match as string | undefined
  if (tags !== undefined) {
    const tag = ngx.header.ETag as string | undefined
    return tag !== undefined && (tags === '*' || tags.indexOf(strong(tag)) >= 0)
  }
  const since = vars.http_if_modified_since as string | undefined
  const modified = ngx.header['Last-Modified'] as string | undefined
  if (since === undefined || modified === undefined) return false
  const [from, at] = [ngx.parse_http_time(since), ngx.parse_http_time(modified)]
  return from !== undefined && at !== undefined && at <= from
}

/** Entity tags are compared weakly here. */
const strong = (tag: string): string => (tag.startsWith('W/') ? tag.substring(2) : tag)
