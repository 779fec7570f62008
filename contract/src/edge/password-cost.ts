/**
 * The cost of verifying a password of edge authentication: scrypt (RFC 7914) with 2^14, 8, 1 takes about 50 ms and 16
 * MB. Imports nothing: the request path compiles it to Lua.
 */
export const passwordCost = { n: 16_384, r: 8, p: 1, bytes: 32 } as const
