/** Advertises HTTP/3 with `Alt-Svc` (RFC 9114, 3.1.1) in responses over TLS, if this node listens for it. */
import { node } from '../nginx/node.ts'

/** One day. */
const seconds = 86_400
const usualPort = '443'

let isHere = false
let known: Record<string, string> = {}
let count = 0
/** Header values by the Host header, which visitors may set to anything: hence the limit. */
const knownMax = 256

/** Reads the facts of the node once, when nginx starts. */
export function prepareAltSvc(): void {
  isHere = node().http3 === true
}

/** Uses the port of the Host header: address translation may have mapped it to another port of nginx. */
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
  // A visitor who came over HTTP/3 already knows about it; nginx then reports no port.
  const host = vars.http_host as string | undefined
  if (host !== undefined && vars.scheme === 'https') vars.bw_alt_svc = text(host)
}
