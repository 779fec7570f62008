/** Seals a secret to a node: X25519 with an ephemeral key per message, HKDF-SHA256, AES-256-GCM. */
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const info = 'breakwater secret'
/** The DER prefix of the 32 raw bytes of an X25519 public key. */
const spkiPrefix = Buffer.from('302a300506032b656e032100', 'hex')

const publicKeyOf = (raw: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.concat([spkiPrefix, raw]), format: 'der', type: 'spki' })

/** The raw bytes of an X25519 public key. */
const rawOf = (key: KeyObject): Buffer => Buffer.from(key.export({ format: 'der', type: 'spki' }).subarray(-keyBytes))

/** The message key; the salt is the ephemeral public key, followed by the node's. */
function messageKey(ours: KeyObject, theirs: Uint8Array, ephemeral: Uint8Array, node: Uint8Array): Buffer {
  const shared = diffieHellman({ privateKey: ours, publicKey: publicKeyOf(theirs) })
  return Buffer.from(hkdfSync('sha256', shared, Buffer.concat([ephemeral, node]), info, 32))
}

/** Seals to a node's raw public key: ephemeral public key · nonce · ciphertext · tag. Throws if the key is invalid. */
export function seal(plain: Uint8Array, nodeKey: Uint8Array, context: string): Buffer {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  const ephemeral = rawOf(publicKey)
  const nonce = randomBytes(nonceBytes)
  const key = messageKey(privateKey, nodeKey, ephemeral, nodeKey)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([ephemeral, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** What the node does to open it. Throws if the key, the context or any bit differs. */
export function open(sealed: Buffer, nodeKey: KeyObject, context: string): Buffer {
  const ephemeral = sealed.subarray(0, keyBytes)
  const nonce = sealed.subarray(keyBytes, keyBytes + nonceBytes)
  const key = messageKey(nodeKey, ephemeral, ephemeral, rawOf(createPublicKey(nodeKey)))
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(keyBytes + nonceBytes, -tagBytes)), decipher.final()])
}

/**
 * Whether secrets can be sealed to these bytes: with some points of the curve the shared secret is the same for
 * everybody.
 */
export function isSealKey(raw: Uint8Array): boolean {
  if (raw.length !== keyBytes) return false
  try {
    seal(new Uint8Array(), raw, '')
    return true
  } catch {
    return false
  }
}
