/** What the Cookie header says about a request: whether its answer may be specific to this visitor. */
import { trimmed } from '../lib/trimmed.ts'

export type CookieKind = 'none' | 'other' | 'session'

/** Prefixes of cookies that no answer depends on: those of analytics and consent tools, and the edge's own. */
const ignored = [
  '_ga',
  '_gid',
  '_gcl_',
  '_gat',
  '_fbp',
  '_fbc',
  '_hj',
  '_pk_',
  '_clck',
  '_clsk',
  '_uet',
  '_scid',
  '_tt_',
  '__utm',
  '__gads',
  '__gpi',
  '__hs',
  'hubspotutk',
  'ajs_',
  'amplitude_',
  'mp_',
  'optanon',
  'cookieconsent',
  'bw_pass',
]

/** Parts of the names of session cookies: PHPSESSID, connect.sid, auth_token, wordpress_logged_in_…, remember_me. */
const session = ['sess', 'sid', 'auth', 'token', 'login', 'logged', 'remember', 'jwt', 'user', 'account', 'identity']

/** Set for everybody, signed in or not. */
const anonymous = ['csrf', 'xsrf']

function kindOf(name: string): CookieKind {
  for (const beginning of ignored) if (name.startsWith(beginning)) return 'none'
  for (const word of anonymous) if (name.indexOf(word) >= 0) return 'other'
  for (const word of session) if (name.indexOf(word) >= 0) return 'session'
  return 'other'
}

/**
 * The strongest kind among the cookies of a header. Cookies that are part of the key do not count: each of their values
 * has answers of its own.
 */
export function cookieKind(header: string | undefined, keyed?: readonly string[]): CookieKind {
  if (header === undefined) return 'none'
  let kind: CookieKind = 'none'
  for (const part of header.split(';')) {
    const equals = part.indexOf('=')
    const given = trimmed(equals < 0 ? part : part.substring(0, equals))
    if (given === '' || keyed?.includes(given)) continue
    const found = kindOf(given.toLowerCase())
    if (found === 'session') return found
    if (found === 'other') kind = found
  }
  return kind
}
