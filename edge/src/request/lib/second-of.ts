/** The second character of every text that an expression matches. */

const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** After a character, these make it optional. */
const optional = '?*{'

/**
 * The code of the second character of every text that an expression matches, if it begins with `^/` and a plain
 * character. Returns undefined if that character may differ, as with a `|` anywhere.
 */
export function secondOf(source: string): number | undefined {
  if (source.length < 3 || !source.startsWith('^/') || source.includes('|')) return undefined
  if (!plain.includes(source.charAt(2))) return undefined
  if (source.length > 3 && optional.includes(source.charAt(3))) return undefined
  return source.charCodeAt(2)
}
