/** What a visitor accepts: a page or a JSON problem, and in which language. */
import { trimmed } from './trimmed.ts'

export type Language = 'en' | 'zh-CN' | 'zh-TW'

/** A client that accepts JSON but not HTML is a program: a page would be useless to it. */
export function wantsJson(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const lower = accept.toLowerCase()
  return lower.indexOf('json') >= 0 && lower.indexOf('text/html') < 0
}

/** Whether a client accepts HTML, as browsers do when they open a page. */
export function wantsPage(accept: string | undefined): boolean {
  return accept !== undefined && accept.toLowerCase().indexOf('text/html') >= 0
}

function languageOf(tag: string): Language | undefined {
  if (tag.startsWith('en')) return 'en'
  if (!tag.startsWith('zh')) return undefined
  const isTraditional =
    tag.indexOf('tw') >= 0 || tag.indexOf('hk') >= 0 || tag.indexOf('mo') >= 0 || tag.indexOf('hant') >= 0
  return isTraditional ? 'zh-TW' : 'zh-CN'
}

/** Recent headers of this worker's visitors: there are few different ones, and a flood repeats the same. */
let known: Record<string, Language> = {}
let knownCount = 0
const knownMax = 256
const headerMax = 128

/** The supported language with the highest weight; English if there is none. */
export function languageFor(header: string | undefined): Language {
  if (header === undefined) return 'en'
  const before = known[header]
  if (before !== undefined) return before
  const language = readLanguage(header)
  if (header.length > headerMax) return language
  if (knownCount === knownMax) {
    known = {}
    knownCount = 0
  }
  known[header] = language
  knownCount++
  return language
}

function readLanguage(header: string): Language {
  let best: Language = 'en'
  let bestWeight = 0
  for (const part of header.toLowerCase().split(',')) {
    const semicolon = part.indexOf(';')
    const language = languageOf(trimmed(semicolon < 0 ? part : part.substring(0, semicolon)))
    if (language === undefined) continue
    const at = semicolon < 0 ? -1 : part.indexOf('q=', semicolon)
    const weight = at < 0 ? 1 : weightOf(trimmed(part.substring(at + 2)))
    if (weight > bestWeight) {
      best = language
      bestWeight = weight
    }
  }
  return best
}

/** `0.8` as 0.8; anything that is not a number gets a very low weight. */
function weightOf(text: string): number {
  const value = Number(text)
  return value >= 0 && value <= 1 ? value : 0.001
}
