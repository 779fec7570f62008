/** What the groups of edge authentication accept, parsed once per version, and how often an address failed. */
import type { AuthGroupSecrets } from '@breakwater/contract/edge/auth-rules.ts'
import { decode } from 'cjson.safe'
import { clientKey } from './buckets.ts'
import type { StoredPassword } from './passwords.ts'
import { secretOf } from './secrets.ts'
import { type VerifyingKey, verifyingKey } from './token-keys.ts'

export type AuthGroup = {
  passwords: Record<string, StoredPassword>
  /** By the SHA-256 of each key. */
  keys: Record<string, true>
  /** Keys that sign tokens, by key id. */
  signers: Record<string, VerifyingKey>
}

/**
 * Entries of all cached groups together: when they reach this, the cache is emptied, and groups are parsed again on
 * demand.
 */
const entriesMax = 100_000
let known: Record<string, AuthGroup> = {}
let knownEntries = 0

/** The group by site and secret. Returns undefined if the secret has not reached the node. */
export function authGroup(site: number, ref: string): AuthGroup | undefined {
  const name = `${site}.${ref}`
  const group = known[name]
  if (group !== undefined) return group
  const text = secretOf(site, ref)
  if (text === undefined) return undefined
  const [read] = decode(text)
  const made = indexed((read ?? {}) as AuthGroupSecrets)
  known[name] = made
  return made
}

function indexed(entries: AuthGroupSecrets): AuthGroup {
  const group: AuthGroup = { passwords: {}, keys: {}, signers: {} }
  if (knownEntries >= entriesMax) {
    known = {}
    knownEntries = 0
  }
  for (const id in entries) {
    knownEntries++
    const entry = entries[id]!
    if (entry.off === true) continue
    if ('algorithm' in entry) {
      const key = verifyingKey(entry)
      if (key !== undefined) group.signers[key.kid] = key
      continue
    }
    if ('crypt' in entry) {
      group.passwords[entry.name] = { salt: '', hash: entry.crypt, isCrypt: true }
      continue
    }
    const hash = ngx.decode_base64(entry.hash)
    if (hash === undefined) continue
    if ('name' in entry) group.passwords[entry.name] = { salt: ngx.decode_base64(entry.salt) ?? '', hash }
    else group.keys[hash] = true
  }
  return group
}

const dict = ngx.shared.bans!
/** Failures within a minute after which an address may not try that group for a while. */
const failuresMax = 10
const failureSeconds = 60
const pauseSeconds = 600

/** The group's name without its version. */
const groupOf = (ref: string): string => ref.substring(0, ref.indexOf('@'))
const keyOf = (kind: string, site: number, ref: string, bytes: string): string =>
  `${kind}${site}:${groupOf(ref)}:${clientKey(bytes, false)}`

/** Whether an address has failed too often to try again. */
export function isPaused(site: number, ref: string, bytes: string): boolean {
  const [until] = dict.get(keyOf('p', site, ref, bytes))
  return until !== undefined
}

/** Notes that an address failed to authenticate. */
export function noteFailed(site: number, ref: string, bytes: string): void {
  const [failures] = dict.incr(keyOf('f', site, ref, bytes), 1, 0, failureSeconds)
  if (failures !== undefined && failures >= failuresMax) dict.safe_set(keyOf('p', site, ref, bytes), 1, pauseSeconds)
}
