/**
 * The node's side of verification, written from the contract and from RFC 8032 and 5869: it uses no code of the node
 * API.
 */
import { createDecipheriv, createHash, createHmac, type KeyObject, webcrypto } from 'node:crypto'

type Key = { id: string; publicKey: string }
type Signature = { keyId: string; value: string }

const hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

/** Whether one of the keys signed the text. */
export async function isSigned(keys: Key[], signature: Signature, text: string): Promise<boolean> {
  const known = keys.find((key) => key.id === signature.keyId)
  if (!known) return false
  const raw = Buffer.from(known.publicKey, 'base64')
  const key = await webcrypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  return webcrypto.subtle.verify('Ed25519', key, Buffer.from(signature.value, 'base64'), Buffer.from(text, 'utf8'))
}

type FeedLike = {
  epoch: number
  after: number
  desired: number
  entries: string
  signature: Signature
  signingKeys: Key[]
}

export function isSignedFeed(keys: Key[], node: number, asked: number, feed: FeedLike): Promise<boolean> {
  const announced = `[${feed.signingKeys.map((key) => `{"id":"${key.id}","publicKey":"${key.publicKey}"}`).join(',')}]`
  const payload = hex(`${feed.entries}\n${announced}`)
  return isSigned(
    keys,
    feed.signature,
    `feed\n${node}\n${asked}\n${feed.epoch}\n${feed.after}\n${feed.desired}\n${payload}`,
  )
}

export function isSignedTasks(
  keys: Key[],
  node: number,
  asked: number,
  reply: { tasks: string; last: number; signature: Signature },
): Promise<boolean> {
  return isSigned(keys, reply.signature, `tasks\n${node}\n${asked}\n${reply.last}\n${hex(reply.tasks)}`)
}

/** Opens a sealed value with HKDF written out (RFC 5869: extract, then one block of expand). */
export async function openByHand(sealed: string, privateKey: KeyObject, context: string): Promise<Buffer> {
  const bytes = Buffer.from(sealed, 'base64')
  const jwk = privateKey.export({ format: 'jwk' })
  const ours = await webcrypto.subtle.importKey('jwk', jwk, 'X25519', false, ['deriveBits'])
  const theirs = await webcrypto.subtle.importKey('raw', bytes.subarray(0, 32), 'X25519', true, [])
  const shared = Buffer.from(await webcrypto.subtle.deriveBits({ name: 'X25519', public: theirs }, ours, 256))
  const salt = Buffer.concat([bytes.subarray(0, 32), Buffer.from(String(jwk.x), 'base64url')])
  const pseudoRandom = createHmac('sha256', salt).update(shared).digest()
  const key = createHmac('sha256', pseudoRandom)
    .update('breakwater secret')
    .update(Buffer.from([1]))
    .digest()
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(32, 44))
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(bytes.length - 16))
  return Buffer.concat([decipher.update(bytes.subarray(44, bytes.length - 16)), decipher.final()])
}
