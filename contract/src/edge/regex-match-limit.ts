/** Steps after which PCRE gives up on an expression. Imports nothing: the request path compiles it to Lua. */
export const regexMatchLimit = 20_000
