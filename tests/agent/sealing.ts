/** Sealing and signing as the control plane does it, written from the contract's description alone. */
import {
  createCipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import type { SigningKey } from '@breakwater/contract/edge/node-api.ts'

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')
const raw = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32)

/** Seals a value to a node's raw X25519 key. */
export function seal(nodeKey: Buffer, context: string, value: Uint8Array): string {
  const ephemeral = generateKeyPairSync('x25519').privateKey
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: nodeKey.toString('base64url') },
    format: 'jwk',
  })
  const shared = diffieHellman({ privateKey: ephemeral, publicKey })
  const key = hkdfSync('sha256', shared, Buffer.concat([raw(ephemeral), nodeKey]), 'breakwater secret', 32)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key), nonce)
  cipher.setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(value), cipher.final()])
  return Buffer.concat([raw(ephemeral), nonce, sealed, cipher.getAuthTag()]).toString('base64')
}

export type Signer = SigningKey & { sign(text: string): { keyId: string; value: string } }

export function makeSigner(id: string): Signer {
  const { privateKey } = generateKeyPairSync('ed25519')
  return {
    id,
    publicKey: raw(privateKey).toString('base64'),
    sign: (text) => ({ keyId: id, value: sign(null, Buffer.from(text), privateKey).toString('base64') }),
  }
}
