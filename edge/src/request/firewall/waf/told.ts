/** Matches, and exceptions that had an effect, as written to log rows. */
import { exceptWord, newWord } from '@breakwater/contract/edge/waf-words.ts'
import { type Match, noneObserved, type ObservedRules } from '../../lib/waf-tools.ts'

/** How many matches, and how many exceptions, a row contains at most. */
const toldMax = 20

/** What is reported besides matches: the rules that do not count yet, and the exceptions that had an effect. */
export type Aside = { observed: ObservedRules; applied: readonly number[] }

export const nothingAside: Aside = { observed: noneObserved, applied: [] }

/**
 * `942100:5:ARGS:id`, separated by spaces; only harmless bytes of the visitor's names are kept. Exceptions come last,
 * so that a text begins with one only if there is nothing else to report.
 */
export function told(matches: readonly Match[], excess: string | undefined, { observed, applied }: Aside): string {
  const words: string[] = []
  for (const match of matches) {
    if (words.length >= toldMax) break
    words.push(`${match.rule}:${match.score}:${harmless(match.name)}`)
  }
  for (let at = 0; at < matches.length && at < toldMax; at++) {
    const word = `${newWord}:${matches[at]!.rule}`
    if (observed[matches[at]!.rule] === true && !words.includes(word)) words.push(word)
  }
  if (excess !== undefined) words.push(`budget:${excess}`)
  for (let at = 0; at < applied.length && at < toldMax; at++) words.push(`${exceptWord}:${applied[at]!}`)
  return words.join(' ')
}

const nameMax = 64

function harmless(name: string): string {
  let out = ''
  for (let at = 0; at < name.length && at < nameMax; at++) {
    const code = name.charCodeAt(at)
    out += code > 32 && code < 127 && code !== 34 && code !== 92 ? name.charAt(at) : '_'
  }
  return out
}
