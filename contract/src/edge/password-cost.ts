/**
 * How hard a password of edge authentication is to try: scrypt (RFC 7914) of 2^14, 8, 1 takes some 50 ms and 16 MB. Imports
 * nothing: the request path compiles it to Lua.
 */
export const passwordCost = { n: 16_384, r: 8, p: 1, bytes: 32 } as const
