/** Matches, and exceptions that did something, as rows tell them. */
import { exceptWord } from '@breakwater/contract/edge/waf-words.ts'
import type { Match } from './evaluate.ts'

/** How many matches, and how many exceptions, a row tells of. */
const toldMax = 20

/**
 * `942100:5:ARGS:id`, apart by spaces; the names are a visitor's and keep harmless bytes alone. Exceptions come last, so
 * that a text begins with one only where there is nothing else to tell.
 */
export function told(matches: readonly Match[], excess: string | undefined, applied: readonly number[]): string {
  const words: string[] = []
  for (const match of matches) {
    if (words.length >= toldMax) break
    words.push(`${match.rule}:${match.score}:${harmless(match.name)}`)
  }
  if (excess !== undefined) words.push(`budget:${excess}`)
  for (let at = 0; at < applied.length && at < toldMax; at++) words.push(`${exceptWord}${applied[at]!}`)
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
