/**
 * What a rule adds to the key besides the URL. Anything that may change an origin's answer but is missing from the key
 * would let one visitor choose what others get, so a parameter is left out only if its name can be read in just one
 * way.
 */

import type { EdgeCacheRule } from '@breakwater/contract/edge/site-parts.ts'
import { trimmed } from '../lib/trimmed.ts'
import { isNamed, type Names, nameIn, namesOf } from './names.ts'

type QueryChoice = {
  only: boolean
  names: Names
  /** Identifies the choice itself in the key: a different choice finds none of these objects. */
  mark: string
}

export type Variant = {
  query: QueryChoice | undefined
  headers: readonly string[]
  cookies: readonly string[]
  isByDevice: boolean
}

/**
 * What a key is made from besides the URL.
 * @noSelf
 */
export interface KeySource {
  /** All values of a request header, by its lower-case name, joined by commas. */
  values(name: string): string | undefined
  /** A short digest of a long text. */
  digest(text: string): string
}

/** Returns undefined if a rule adds nothing to the key. */
export function compileVariant({ query, keyHeaders, keyCookies, keyDevice }: EdgeCacheRule): Variant | undefined {
  const isByDevice = keyDevice === true
  const headers = keyHeaders ?? []
  const cookies = keyCookies ?? []
  if (query === undefined && headers.length === 0 && cookies.length === 0 && !isByDevice) return undefined
  return {
    query: query === undefined ? undefined : compileQuery(query),
    headers: headers.map((name) => name.toLowerCase()),
    cookies,
    isByDevice,
  }
}

function compileQuery({ only, names }: { only: boolean; names: string[] }): QueryChoice {
  // Some origins ignore the case of names, so listed parameters match in any case.
  const fold = (name: string): string => (only ? name.toLowerCase() : name)
  return { only, names: namesOf(names, fold), mark: ` ?${only ? '+' : '-'}${names.join('&')}?` }
}

/** Letters, digits, `_` and `-`: every origin reads such a name literally. */
function isPlainName(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at)
    const isPlain =
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 45
    if (!isPlain) return false
  }
  return true
}

function isKept(piece: string, { only, names }: QueryChoice): boolean {
  // Some origins treat `;` like `&`: another parameter may follow it.
  if (piece.indexOf(';') >= 0) return true
  const name = nameIn(piece)
  if (!only) return !isNamed(names, name)
  return isNamed(names, name.toLowerCase()) || !isPlainName(name)
}

/** The parameters that are part of the key, in the order in which they were sent. */
export function keptQuery(query: string, choice: QueryChoice): string {
  let kept = ''
  if (query === '') return kept
  for (const piece of query.split('&')) {
    if (piece === '' || !isKept(piece, choice)) continue
    kept = kept === '' ? piece : `${kept}&${piece}`
  }
  return kept
}

export type Device = 'phone' | 'tablet' | 'other'

/** Decides by the User-Agent. Android tablets do not send `Mobile`. */
export function deviceOf(userAgent: string | undefined): Device {
  if (userAgent === undefined) return 'other'
  if (userAgent.indexOf('iPad') >= 0 || userAgent.indexOf('Tablet') >= 0) return 'tablet'
  if (userAgent.indexOf('Mobi') >= 0 || userAgent.indexOf('iPhone') >= 0) return 'phone'
  return userAgent.indexOf('Android') >= 0 ? 'tablet' : 'other'
}

/** Every cookie of this name, as sent: of duplicates, some origins use the first and others the last. */
function cookiesNamed(header: string | undefined, name: string): string {
  if (header === undefined) return ''
  const found: string[] = []
  for (const piece of header.split(';')) if (trimmed(nameIn(piece)) === name) found.push(`${trimmed(piece)};`)
  return found.join('')
}

/** What follows the object key in the full key. Every part begins with a space and a marker of its own. */
export function variantKey(variant: Variant, query: string, source: KeySource): string {
  const { query: choice, headers, cookies, isByDevice } = variant
  const ofQuery = choice === undefined ? '' : choice.mark + keptQuery(query, choice)
  if (headers.length === 0 && cookies.length === 0 && !isByDevice) return ofQuery
  // Header values never contain a line break.
  const lines: string[] = []
  for (const name of headers) {
    const value = source.values(name)
    lines.push(value === undefined ? `h${name}` : `h${name}:${value}`)
  }
  if (cookies.length > 0) {
    const given = source.values('cookie')
    for (const name of cookies) lines.push(`c${name}:${cookiesNamed(given, name)}`)
  }
  if (isByDevice) lines.push(`d${deviceOf(source.values('user-agent'))}`)
  return `${ofQuery} r${source.digest(lines.join('\n'))}`
}
