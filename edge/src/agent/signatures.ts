/** Verifies Ed25519 signatures of the control plane over texts defined in the contract. */
import { createPublicKey, verify } from 'node:crypto'
import type { SigningKey } from '@breakwater/contract/edge/node-api.ts'
import { spkiOf } from './keys.ts'

/** The received data is not what the control plane signed, or is older than known data. None of it was used. */
export class Untrusted extends Error {}

/** Throws unless one of the known keys signed this text. */
export function requireSignature(
  keys: readonly SigningKey[],
  signature: { keyId: string; value: string },
  text: string,
): void {
  const known = keys.find((key) => key.id === signature.keyId)
  if (!known) throw new Untrusted(`signed with the unknown key ${signature.keyId}`)
  const raw = spkiOf('ed25519', Buffer.from(known.publicKey, 'base64'))
  const key = createPublicKey({ key: raw, format: 'der', type: 'spki' })
  if (!verify(null, Buffer.from(text), key, Buffer.from(signature.value, 'base64'))) {
    throw new Untrusted(`the signature of key ${signature.keyId} does not fit`)
  }
}
