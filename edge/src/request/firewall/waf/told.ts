/** Matches as rows tell them. */
import { newWord } from '@breakwater/contract/edge/waf-words.ts'
import type { ObservedRules } from '../../lib/waf-tools.ts'
import type { Match } from './evaluate.ts'

/** How many matches a row tells of. */
const toldMax = 20

/** `942100:5:ARGS:id`, apart by spaces; the names are a visitor's and keep harmless bytes alone. `observed` are rules that do not count yet. */
export function told(matches: readonly Match[], excess: string | undefined, observed: ObservedRules): string {
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
