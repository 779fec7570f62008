/**
 * Which expressions about texts in lower case are searched in the texts as they came, without regard to case: whatever
 * matches the text in lower case is found so, and no text is made lower only to be searched.
 */
import type { WafCondition } from '@breakwater/contract/edge/waf-rules.ts'

/** Whether a condition's last transformation is left to the search. What is found is confirmed with it. */
export function isSearchedInAnyCase({ operator, argument, transforms, multiMatch }: WafCondition): boolean {
  if (multiMatch === true || transforms[transforms.length - 1] !== 'lowercase') return false
  return operator === 'pm' || (operator === 'rx' && isFoundInAnyCase(argument))
}

/**
 * Whether an expression that matches a text in lower case always matches it without regard to case. A set that leaves
 * out upper case letters alone (`[^A-Z]`) does not: without regard to case it leaves out the lower ones, too.
 */
export function isFoundInAnyCase(expression: string): boolean {
  // A class by name may be one of letters of one case.
  if (expression.indexOf('[:') >= 0) return false
  const isAnyCase = expression.startsWith('(?i)')
  let escaped = -1
  for (let at = 0; at < expression.length; at++) {
    const char = expression.charAt(at)
    const next = expression.charAt(at + 1)
    if (char === '\\') {
      if (!plainEscapes.includes(next) && isWordLike(next)) return false
      at++
      escaped = at
    } else if (char === '(' && next === '?' && !plainGroups.includes(expression.charAt(at + 2))) {
      if (at > 0 || !isAnyCase) return false
    } else if (!isAnyCase && ((char >= 'A' && char <= 'Z') || isOddRange(expression, at, escaped))) return false
  }
  return true
}

/** Kinds of bytes and places that are the same in both cases. */
const plainEscapes = 'sSdDwWbBnrtvf'
/** `(?:`, `(?=`, `(?!`: groups that change no option. */
const plainGroups = ':=!'

const isWordLike = (char: string): boolean =>
  (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || (char >= '0' && char <= '9')

/**
 * A range that may hold upper case letters without the lower ones: from a sign, to what stands between `A` and `y`. A dash
 * before a bracket begins none.
 */
function isOddRange(expression: string, at: number, escaped: number): boolean {
  if (expression.charAt(at) !== '-' || at === 0) return false
  const from = expression.charAt(at - 1)
  const to = expression.charAt(at + 1)
  return to >= 'A' && to < 'z' && to !== ']' && (at - 1 === escaped || !(from >= 'a' && from <= 'z'))
}
