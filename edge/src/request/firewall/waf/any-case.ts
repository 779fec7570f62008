/**
 * Decides which expressions for lowercased text are searched case-insensitively in the original text: this finds
 * whatever matches the lowercased text, and saves lowercasing a text just to search it.
 */
import type { WafCondition } from '@breakwater/contract/edge/waf-rules.ts'

/** Whether a condition's last transformation is left to the search. Finds are confirmed with the transformation. */
export function isSearchedInAnyCase({ operator, argument, transforms, multiMatch }: WafCondition): boolean {
  if (multiMatch === true || transforms[transforms.length - 1] !== 'lowercase') return false
  return operator === 'pm' || (operator === 'rx' && isFoundInAnyCase(argument))
}

/**
 * Whether an expression that matches a text in lower case always matches it case-insensitively. A set that excludes
 * only upper-case letters (`[^A-Z]`) does not: case-insensitively, it also excludes the lower-case ones.
 */
export function isFoundInAnyCase(expression: string): boolean {
  // A named class may contain letters of one case only.
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

/** Escapes for classes and positions that are the same in both cases. */
const plainEscapes = 'sSdDwWbBnrtvf'
/** `(?:`, `(?=`, `(?!`: groups that change no options. */
const plainGroups = ':=!'

const isWordLike = (char: string): boolean =>
  (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z') || (char >= '0' && char <= '9')

/**
 * Whether a range may contain upper-case letters without the lower-case ones: it begins with a non-letter and ends
 * between `A` and `y`. A dash before a bracket does not form a range.
 */
function isOddRange(expression: string, at: number, escaped: number): boolean {
  if (expression.charAt(at) !== '-' || at === 0) return false
  const from = expression.charAt(at - 1)
  const to = expression.charAt(at + 1)
  return to >= 'A' && to < 'z' && to !== ']' && (at - 1 === escaped || !(from >= 'a' && from <= 'z'))
}
