/**
 * Bans from a whole zone, which nodes enforce in the kernel if they can. Imports nothing: the request path compiles it
 * to Lua.
 */

/** Instead of a site id: the address is banned from the node's own ports, whatever site it requests. */
export const zoneWide = 0
/** How long nodes ban from a whole zone, in seconds. */
export const zoneBanSeconds = 600
/** The most characters kept of a banned address's last request. */
export const askedMax = 300
/**
 * What leads to a ban from a whole zone: too many requests across all sites, too many for unknown hosts, and too many
 * failed TLS handshakes.
 */
export const zoneBanCauses = ['zoneAntiCC', 'invalidDomain', 'failedHandshakes'] as const
export type ZoneBanCause = (typeof zoneBanCauses)[number]
