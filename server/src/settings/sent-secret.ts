/**
 * Secrets that are sent to a third party, or that sign what is sent: passwords of mail servers, tokens of bots, keys of
 * webhooks, client secrets. Nothing else opens them. A stored one is used only with the destination it was stored for,
 * so that nobody with access to a setting can have its secret sent to their own server.
 */
import { fieldFault } from '../http/fault.ts'
import type { Vault } from '../secrets/vault.ts'

/** Where a secret is sent: every field that decides who receives it and who can read it in transit. */
export type Destination = Readonly<Record<string, string | number>>

/** A secret as stored. `context` is what it was sealed with. */
export type StoredSecret = {
  sealed: Uint8Array | null | undefined
  context: string
  destination: Destination
}

type Use = {
  destination: Destination
  /** What the caller typed; undefined stands for the stored one, an empty text for none. */
  given: string | undefined
  /** The field of the secret, for errors. */
  field: string
}

const isSame = (one: Destination, other: Destination): boolean => {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => one[name] === other[name])
}

/**
 * The secret to use with settings that somebody has typed, for a test and for a save alike; undefined if there is none.
 * Throws 101003 (`giveSecretAgain`, at the field) if the stored one belongs to another destination.
 */
export function secretFor(vault: Vault, stored: StoredSecret | undefined, use: Use): string | undefined {
  if (use.given !== undefined) return use.given === '' ? undefined : use.given
  if (!stored?.sealed) return undefined
  if (!isSame(stored.destination, use.destination)) throw fieldFault(use.field, 'giveSecretAgain')
  return vault.open(stored.sealed, stored.context).toString()
}

/**
 * The stored secret, for a message queued for a destination; undefined if the settings now have another destination.
 */
export function secretOnTheWay(vault: Vault, stored: StoredSecret, destination: Destination): string | undefined {
  if (!stored.sealed || !isSame(stored.destination, destination)) return undefined
  return vault.open(stored.sealed, stored.context).toString()
}

/** Seals a secret for a row; null if there is none. */
export const sealSecret = (vault: Vault, context: string, secret: string | undefined): Buffer | null =>
  secret === undefined ? null : vault.seal(Buffer.from(secret), context)
