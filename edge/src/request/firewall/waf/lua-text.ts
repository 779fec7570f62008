/** What Lua's own functions do to a text, in C: a body has thousands of bytes. Patterns are Lua's. */

/** @noSelf */
interface LuaStrings {
  gsub(text: string, pattern: string, by: string | Record<string, string>): string
  find(text: string, pattern: string): number | undefined
}
declare const string: LuaStrings

/** A text with what a pattern means replaced, by another or by what a table says of it. */
export function replaced(text: string, pattern: string, by: string | Record<string, string>): string {
  // In a variable, because Lua gives the number of replacements, too.
  const made = string.gsub(text, pattern, by)
  return made
}

export const holdsAny = (text: string, pattern: string): boolean => string.find(text, pattern) !== undefined
