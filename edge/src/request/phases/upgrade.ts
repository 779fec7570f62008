/**
 * Protocol upgrades. After a 101 the connection is a tunnel that no guard inspects, so only protocols that are meant
 * for it are passed on.
 */

/** Protocols that may be requested, in lower case. Only a single token: an origin may pick any of several. */
const allowed: Record<string, boolean> = { websocket: true }

/**
 * Removes an Upgrade header that is not passed on; the request then continues as usual. A WebSocket is opened by GET
 * over HTTP/1.1 (RFC 6455, 4.1), and only if Connection lists the header and the site has WebSockets enabled.
 */
export function checkUpgrade(method: string, hasWebsockets: boolean): void {
  const vars = ngx.var
  const upgrade = vars.http_upgrade as string | undefined
  if (upgrade === undefined) return
  const connection = ((vars.http_connection as string | undefined) ?? '').toLowerCase()
  const isAsked = method === 'GET' && vars.server_protocol === 'HTTP/1.1' && connection.indexOf('upgrade') >= 0
  if (hasWebsockets && isAsked && allowed[upgrade.toLowerCase()] === true) {
    vars.bw_upgrade = upgrade
    return
  }
  ngx.req.clear_header('Upgrade')
  ngx.req.clear_header('HTTP2-Settings')
}

/** Whether an origin switches to a protocol that this request did not ask for. */
export function isUnaskedSwitch(): boolean {
  if (ngx.status !== 101) return false
  const asked = ngx.var.http_upgrade as string | undefined
  const given = ngx.var.upstream_http_upgrade as string | undefined
  return asked === undefined || given === undefined || asked.toLowerCase() !== given.toLowerCase()
}

/** Whether a request asks for a WebSocket or for server-sent events, which may be idle for long. */
export function isStream(): boolean {
  const vars = ngx.var
  const accept = vars.http_accept as string | undefined
  return vars.http_upgrade !== undefined || (accept !== undefined && accept.indexOf('text/event-stream') >= 0)
}
