/** Requests that a cache rule sends past the cache because of their cookies, headers or parameters. Pure. */

import type { AroundReason } from '@breakwater/contract/edge/cache-simulation.ts'
import type { EdgeCacheRule } from '@breakwater/contract/edge/site-parts.ts'
import { percentDecoded } from '../lib/canonical.ts'
import { trimmed } from '../lib/trimmed.ts'
import { isNamed, type Names, nameIn, namesOf } from './names.ts'

export type Bypass = {
  /** Absent if none are configured. */
  cookies: Names | undefined
  headers: readonly string[]
  query: Names | undefined
}

/** @noSelf */
export interface HeaderSource {
  /** The value of a request header, by its lower-case name. */
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
 * A parameter's name in the form in which any origin may read it: decoded, lower-case, and with PHP's treatment of
 * `a[]` and `a.b`. Missing a name would store an answer that was not meant for anyone else.
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

/** Why a request bypasses the cache. Returns undefined if it does not. */
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
