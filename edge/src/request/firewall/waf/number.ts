/** Numbers as operators parse them. */

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** The integer that a text begins with, as in C; 0 if there is none. */
export function numberOf(text: string): number {
  const isNegative = text.startsWith('-')
  let value = 0
  for (let at = isNegative ? 1 : 0; at < text.length && at < 16 && isDigit(text.charCodeAt(at)); at++)
    value = value * 10 + text.charCodeAt(at) - 48
  return isNegative ? -value : value
}
