/** Encryption of secrets at rest: AES-256-GCM with a key that lives in the data folder, never in the database. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Vault = {
  /** Seals bytes. `context` (what the secret is, whose it is) must be given again to open them. */
  seal(plain: Uint8Array, context: string): Buffer
  /** Opens sealed bytes. Throws where the key, the context or a bit is not the same. */
  open(sealed: Uint8Array, context: string): Buffer
}

const nonceBytes = 12
const tagBytes = 16

/** A vault over a 32-byte key. Sealed form: nonce · ciphertext · tag. */
export function makeVault(key: Uint8Array): Vault {
  return {
    seal(plain, context) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed)
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes))
      return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
    },
  }
}

/** Reads a key file of the data folder, making it at first use. Two processes that start together end up with one key. */
export function readOrMakeKey(folder: string, name: string, make: () => Buffer = () => randomBytes(32)): Buffer {
  const path = join(folder, 'keys', name)
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}.tmp`
    writeFileSync(draft, make(), { mode: 0o600, flush: true })
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      unlinkSync(draft)
    }
  }
  return readFileSync(path)
}

/** The vault of an installation. */
export function openVault(dataFolder: string): Vault {
  return makeVault(readOrMakeKey(dataFolder, 'master.key'))
}
