/** Tells browsers of HTTP/3 (RFC 9114, 3.1.1): by `Alt-Svc`, on answers over TLS, where this node listens for it. */
import { node } from '../nginx/node.ts'

/** For a day. */
const seconds = 86_400
const usualPort = '443'

let isHere = false
let known: Record<string, string> = {}
let count = 0
/** Texts by the host that visitors named, which may be any. */
const knownMax = 256

/** Reads the facts of the node once, when nginx starts. */
export function prepareAltSvc(): void {
  isHere = node().http3 === true
}

/** By the port by which the visitor came, which address translation may have made another than nginx' own. */
function text(host: string): string {
  const made = known[host]
  if (made !== undefined) return made
  if (count >= knownMax) {
    known = {}
    count = 0
  }
  count++
  const [asked] = string.match(host, ':(%d+)$')
  known[host] = `h3=":${asked ?? usualPort}"; ma=${seconds}`
  return known[host]!
}

export function sayAltSvc(hasHttp3: boolean): void {
  if (!isHere || !hasHttp3) return
  const vars = ngx.var
  // Who came by HTTP/3 knows of it; nginx then tells no port.
  const host = vars.http_host as string | undefined
  if (host !== undefined && vars.scheme === 'https') vars.bw_alt_svc = text(host)
}
