/**
 * Why no origin answered a request. The request path compiles it to Lua.
 *
 * `none`: no origin could be used. `dns`: its name did not resolve. `connect`: nothing accepts connections there.
 * `tls`: the handshake failed, or the site does not trust the certificate. `timeout`: it took too long. `reset`: it
 * closed the connection before responding. `invalid`: its response is not HTTP.
 */
export const originFailures = ['none', 'dns', 'connect', 'tls', 'timeout', 'reset', 'invalid'] as const
export type OriginFailure = (typeof originFailures)[number]
