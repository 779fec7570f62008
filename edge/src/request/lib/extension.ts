/** The extension of a path: what follows the last dot of its last segment. */

const dot = 46
const slash = 47

/** In lower case; '' if there is none or it has more than ten characters. */
export function extensionOf(path: string): string {
  for (let at = path.length - 1; at >= 0 && at > path.length - 12; at--) {
    const code = path.charCodeAt(at)
    if (code === slash) return ''
    if (code === dot) return path.substring(at + 1).toLowerCase()
  }
  return ''
}
