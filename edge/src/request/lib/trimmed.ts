/** A text without white space at its ends. */

/** Space, tab and the line breaks. */
const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

/**
 * In as many steps as there are blanks. `trim` becomes a pattern of Lua, which takes the square of them where they stand
 * within: one header of 60 KB kept a worker for a minute.
 */
export function trimmed(text: string): string {
  const length = text.length
  if (length === 0) return text
  // What stands behind a comma has one in front of it, mostly: a loop would not be compiled with what it is part of.
  let from = isBlank(text.charCodeAt(0)) ? 1 : 0
  if (from < length && !isBlank(text.charCodeAt(from)) && !isBlank(text.charCodeAt(length - 1)))
    return from === 0 ? text : text.substring(1)
  let to = length
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.substring(from, to)
}
