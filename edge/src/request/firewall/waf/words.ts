/** Many words at once: found by their first two bytes, so that a text is gone through once whatever their number is. */

export type Words = { byPair: Record<number, string[]>; single: string[] }

/** Words are lower case. */
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

/** Whether a text holds any of them, whatever its case. */
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

/** By bytes, as a part of a text would be a string of its own. */
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
