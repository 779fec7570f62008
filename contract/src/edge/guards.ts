/**
 * The names of the guards in the order of battle. A refusal's reference carries a guard by its place in `guardIds`, so
 * new names are only ever added at that list's end. Imports nothing: the request path compiles it to Lua.
 */
export const guardIds = ['', 'protocol', 'allowRules', 'denyRules', 'rateRules', 'bodyRules', 'challenge'] as const
export type GuardName = (typeof guardIds)[number]
