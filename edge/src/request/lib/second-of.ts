/** What an expression says of the second character of a text. */

const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** Behind a character, they make it one that may be missing. */
const optional = '?*{'

/**
 * The code of the second character of every text that an expression matches, where it begins with `^/` and a plain
 * character; nothing where another may stand there, as it may with `|` anywhere.
 */
export function secondOf(source: string): number | undefined {
  if (source.length < 3 || !source.startsWith('^/') || source.includes('|')) return undefined
  if (!plain.includes(source.charAt(2))) return undefined
  if (source.length > 3 && optional.includes(source.charAt(3))) return undefined
  return source.charCodeAt(2)
}
