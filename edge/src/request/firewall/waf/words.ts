/** Searches for many words at once, by their first two bytes: one pass over the text, however many words there are. */

export type Words = { byPair: Record<number, string[]>; single: string[] }

/** Words must be in lower case. */
export function compileWords(words: readonly string[]): Words {
  const byPair: Record<number, string[]> = {}
  const single: string[] = []
  for (const word of words) {
    if (word.length === 1) single.push(word)
    else {
      const pair = word.charCodeAt(0) * 256 + word.charCodeAt(1)
      byPair[pair] ??= []
      byPair[pair].push(word)
    }
  }
  return { byPair, single }
}

/** Whether a text contains any of the words, in any case. */
export function hasWord({ byPair, single }: Words, given: string): boolean {
  const text = given.toLowerCase()
  for (const word of single) if (text.indexOf(word) >= 0) return true
  if (text.length < 2) return false
  let before = text.charCodeAt(0)
  for (let at = 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const words = byPair[before * 256 + code]
    if (words !== undefined && anyAt(words, text, at - 1)) return true
    before = code
  }
  return false
}

/** Compares bytes, because a substring would create a new string. */
function anyAt(words: readonly string[], text: string, from: number): boolean {
  const left = text.length - from
  for (const word of words) {
    const length = word.length
    let at = 2
    while (at < length && length <= left && word.charCodeAt(at) === text.charCodeAt(from + at)) at++
    if (at === length && length <= left) return true
  }
  return false
}
