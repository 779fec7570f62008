/**
 * Why the API shield blocks a request. The rule of a refusal is the operation's number × 100 + the reason's; operation
 * 0 is none. Numbers never change. Imports nothing: the request path compiles it to Lua.
 */
export const shieldReasons = {
  unknownPath: 1,
  unknownMethod: 2,
  unknownParameter: 3,
  missingParameter: 4,
  wrongParameter: 5,
  repeatedParameter: 6,
  mediaType: 7,
  missingBody: 8,
  unexpectedBody: 9,
  malformedBody: 10,
  wrongBody: 11,
  overBudget: 12,
} as const
export type ShieldReason = keyof typeof shieldReasons

/** The step between the numbers of two operations. */
export const shieldRuleStep = 100

/** Splits a rule of the shield. The reason is undefined for an unknown number. */
export function shieldRule(rule: number): { operation: number; reason: ShieldReason | undefined } {
  const number = rule % shieldRuleStep
  let reason: ShieldReason | undefined
  for (const name in shieldReasons) if (shieldReasons[name as ShieldReason] === number) reason = name as ShieldReason
  return { operation: Math.floor(rule / shieldRuleStep), reason }
}
