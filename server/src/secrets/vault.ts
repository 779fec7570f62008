/** Encryption of secrets at rest: AES-256-GCM with a key that is never in the database. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createIfAbsent, keyFileOf, masterKeys } from './master-key.ts'

export type Vault = {
  /** Seals bytes with the newest key. The same `context` (what the secret is, and whose) is needed to open them. */
  seal(plain: Uint8Array, context: string): Buffer
  /** Opens sealed bytes. Throws if no key fits, or if the context or any bit differs. */
  open(sealed: Uint8Array, context: string): Buffer
  /** Seals the secret again with the newest key; undefined if it already is. Throws as `open` does. */
  renew(sealed: Uint8Array, context: string): Buffer | undefined
}

const nonceBytes = 12
const tagBytes = 16

/** A vault over 32-byte keys, newest first. Sealed form: nonce · ciphertext · tag. */
export function makeVault(keys: Uint8Array | (() => readonly Uint8Array[])): Vault {
  const keysNow = typeof keys === 'function' ? keys : () => [keys]

  function seal(plain: Uint8Array, context: string): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', keysNow()[0]!, nonce).setAAD(Buffer.from(context))
    return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }

  /** The tag shows whether a key is the right one. */
  function find(sealed: Uint8Array, context: string): { plain: Buffer; at: number } {
    const bytes = Buffer.from(sealed)
    const all = keysNow()
    for (const [at, key] of all.entries()) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
        decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
        return { plain: Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]), at }
      } catch (error) {
        if (at === all.length - 1) throw error
      }
    }
    throw new Error('there is no key')
  }

  return {
    seal,
    open: (sealed, context) => find(sealed, context).plain,
    renew(sealed, context) {
      const { plain, at } = find(sealed, context)
      return at === 0 ? undefined : seal(plain, context)
    },
  }
}

/**
 * Reads a key file of the data folder, creating it at first use. Two processes that start together end up with the same
 * key.
 */
export function readOrMakeKey(folder: string, name: string, make: () => Buffer = () => randomBytes(32)): Buffer {
  const path = join(folder, 'keys', name)
  if (!existsSync(path)) createIfAbsent(path, make())
  return readFileSync(path)
}

/** The vault of an installation. */
export function openVault(dataFolder: string): Vault {
  return makeVault(masterKeys(keyFileOf(dataFolder)))
}
