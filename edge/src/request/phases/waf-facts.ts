/** A request as it was sent, for the WAF: headers in nginx's order, including repeated ones. */
import type { WafFacts } from '../lib/waf-tools.ts'
import type { RequestContext } from './context.ts'

/** Whether a body was sent, judging by the request head. */
export function hasBody(): boolean {
  const vars = ngx.var
  const length = vars.http_content_length as string | undefined
  if (length !== undefined) return length !== '0'
  if (vars.http_transfer_encoding !== undefined) return true
  return (ngx.req.http_version() ?? 0) >= 2 && bodiless[ngx.req.get_method()] !== true
}

export function wafFacts(): WafFacts {
  const vars = ngx.var
  const headerNames: string[] = []
  const headerValues: string[] = []
  // nginx has already limited their number.
  const given = ngx.req.get_headers(0, true)
  for (const name in given) {
    const value = given[name]!
    if (typeof value === 'string') {
      headerNames.push(name)
      headerValues.push(value)
    } else
      for (const one of value) {
        headerNames.push(name)
        headerValues.push(one)
      }
  }
  return {
    ...{ method: ngx.req.get_method(), headerNames, headerValues },
    target: (ngx.ctx as RequestContext).target,
    protocol: vars.server_protocol as string,
    hasBody: hasBody(),
  }
}

/** Over HTTP/2, no header announces a body. */
const bodiless: Record<string, boolean> = { GET: true, HEAD: true, OPTIONS: true }
