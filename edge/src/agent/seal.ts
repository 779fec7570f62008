/** Decrypts values that the control plane sealed for this node only (the contract's `SecretsReply`). */
import { createDecipheriv, createPublicKey, diffieHellman, hkdfSync, type KeyObject } from 'node:crypto'
import { spkiOf } from './keys.ts'

/** The raw 32 bytes of the public key. */
export function rawPublicKey(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32)
}

/** Decrypts a sealed value. Throws if it was sealed for another node, site or name, or was modified. */
export function openSealed(key: KeyObject, context: string, sealed: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length < 32 + 12 + 16) throw new Error('a sealed value is too short')
  const ephemeral = bytes.subarray(0, 32)
  const publicKey = createPublicKey({ key: spkiOf('x25519', ephemeral), format: 'der', type: 'spki' })
  const shared = diffieHellman({ privateKey: key, publicKey })
  const salt = Buffer.concat([ephemeral, rawPublicKey(key)])
  const aesKey = Buffer.from(hkdfSync('sha256', shared, salt, 'breakwater secret', 32))
  const decipher = createDecipheriv('aes-256-gcm', aesKey, bytes.subarray(32, 44))
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-16))
  return Buffer.concat([decipher.update(bytes.subarray(44, -16)), decipher.final()])
}
