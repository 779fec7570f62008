/** The node's own keys. They are created on the node and never leave it. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type Access, readIfThere, writeDurably } from './files.ts'

const makers = {
  tls: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  seal: () => generateKeyPairSync('x25519').privateKey,
}

/** The private key in this file (PKCS#8 PEM), created on first use. */
export async function ownKey(path: string, kind: keyof typeof makers, access: Access): Promise<KeyObject> {
  const known = await readIfThere(path)
  if (known) return createPrivateKey(known)
  const key = makers[kind]()
  await writeDurably(path, key.export({ type: 'pkcs8', format: 'pem' }), access)
  return key
}

/** The SPKI form of an X25519 or Ed25519 public key is one of these prefixes and the 32 raw bytes. */
const spkiPrefix = {
  x25519: Buffer.from('302a300506032b656e032100', 'hex'),
  ed25519: Buffer.from('302a300506032b6570032100', 'hex'),
}

export function spkiOf(kind: keyof typeof spkiPrefix, raw: Uint8Array): Buffer {
  if (raw.length !== 32) throw new Error(`an ${kind} public key has 32 bytes, not ${raw.length}`)
  return Buffer.concat([spkiPrefix[kind], raw])
}
