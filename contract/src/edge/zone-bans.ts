/** Bans from a whole zone, which nodes drop in the kernel where they can. Imports nothing: the request path compiles it to Lua. */

/** In place of a site: the address is banned from the node's own ports, whatever site it asks for. */
export const zoneWide = 0
/** For how long nodes ban from a whole zone, in seconds. */
export const zoneBanSeconds = 600
/** Characters that are kept of what a banned address asked for last. */
export const askedMax = 300
/** What bans from a whole zone: too many requests over all sites, for hosts that nobody has, and too many failed TLS handshakes. */
export const zoneBanCauses = ['zoneAntiCC', 'invalidDomain', 'failedHandshakes'] as const
export type ZoneBanCause = (typeof zoneBanCauses)[number]
