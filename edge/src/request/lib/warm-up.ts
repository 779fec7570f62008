/**
 * CPU seconds of a Lua VM's first WAF checks, which are interpreted while LuaJIT compiles them. They are not charged to
 * a site, and each may take `factor` times as long. Without this, a slow machine would refuse the first visitors after
 * a start.
 */
export const warmUp = { seconds: 3, factor: 5 } as const
