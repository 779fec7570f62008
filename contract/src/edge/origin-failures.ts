/**
 * Why no origin answered a request. The request path compiles it to Lua.
 *
 * `none`: no origin may be asked. `dns`: no address was found for its name. `connect`: nothing takes connections there.
 * `tls`: the handshake failed, or the certificate is not one that the site believes. `timeout`: it took too long.
 * `reset`: it closed the connection before its answer. `invalid`: what it said is no HTTP.
 */
export const originFailures = ['none', 'dns', 'connect', 'tls', 'timeout', 'reset', 'invalid'] as const
export type OriginFailure = (typeof originFailures)[number]
