/** A text without white space at its ends. */

/** Space, tab and line breaks. */
const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

/**
 * In linear time. `trim` becomes a Lua pattern, whose time is quadratic in the number of inner spaces: one header of 60
 * KB blocked a worker for a minute.
 */
export function trimmed(text: string): string {
  const length = text.length
  if (length === 0) return text
  // What follows a comma usually begins with one space: a loop would not be compiled into its caller's trace.
  let from = isBlank(text.charCodeAt(0)) ? 1 : 0
  if (from < length && !isBlank(text.charCodeAt(from)) && !isBlank(text.charCodeAt(length - 1)))
    return from === 0 ? text : text.substring(1)
  let to = length
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.substring(from, to)
}
