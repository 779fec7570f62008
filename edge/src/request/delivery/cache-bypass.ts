/** Requests that a rule sends around the cache, by their cookies, headers and parameters. Pure. */

import type { AroundReason } from '@breakwater/contract/edge/cache-simulation.ts'
import type { EdgeCacheRule } from '@breakwater/contract/edge/site-parts.ts'
import { percentDecoded } from '../lib/canonical.ts'
import { trimmed } from '../lib/trimmed.ts'
import { isNamed, type Names, nameIn, namesOf } from './names.ts'

export type Bypass = {
  /** Absent for none. */
  cookies: Names | undefined
  headers: readonly string[]
  query: Names | undefined
}

/** @noSelf */
export interface HeaderSource {
  /** A request header by its lower-case name. */
  header(name: string): string | undefined
}

const lower = (name: string): string => name.toLowerCase()

export function compileBypass(bypass: EdgeCacheRule['bypass']): Bypass | undefined {
  if (bypass === undefined) return undefined
  const { cookies, headers, query } = bypass
  return {
    cookies: cookies.length === 0 ? undefined : namesOf(cookies, lower),
    headers: headers.map((name) => name.toLowerCase()),
    query: query.length === 0 ? undefined : namesOf(query, lower),
  }
}

/**
 * A parameter's name as origins read it, whichever way: decoded, in any case, and of `a[]` and `a.b` what PHP makes of
 * them. A name that was missed would have an answer stored that was meant to be nobody else's.
 */
function readName(piece: string): string {
  const name = percentDecoded(nameIn(piece)).toLowerCase()
  const bracket = name.indexOf('[')
  const bare = bracket < 0 ? name : name.substring(0, bracket)
  return trimmed(bare).split('.').join('_').split(' ').join('_').split('+').join('_')
}

function hasParameter(names: Names, query: string): boolean {
  for (const part of query.split('&')) {
    for (const piece of part.split(';')) {
      if (piece === '') continue
      if (isNamed(names, readName(piece)) || isNamed(names, nameIn(piece).toLowerCase())) return true
    }
  }
  return false
}

/** What sends a request around the cache; nothing where nothing does. */
export function bypassReason(bypass: Bypass, query: string, source: HeaderSource): AroundReason | undefined {
  for (const name of bypass.headers) if (source.header(name) !== undefined) return 'bypassHeader'
  if (bypass.cookies !== undefined) {
    const given = source.header('cookie')
    if (given !== undefined) {
      for (const piece of given.split(';')) {
        if (isNamed(bypass.cookies, trimmed(nameIn(piece)).toLowerCase())) return 'bypassCookie'
      }
    }
  }
  return bypass.query !== undefined && query !== '' && hasParameter(bypass.query, query) ? 'bypassQuery' : undefined
}
