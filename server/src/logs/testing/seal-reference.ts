/** Seals a reference as a node does (contract `edge/reference.ts`). */
import { createCipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Reference } from '@breakwater/contract/edge/explain.ts'
import { type GuardName, guardIds } from '@breakwater/contract/edge/guards.ts'
import { referenceKeyContext, referenceNonceBytes, referenceVersion } from '@breakwater/contract/edge/reference.ts'

export function sealReference(
  told: Reference,
  group: number,
  groupKey: Uint8Array,
  requestId = randomBytes(16).toString('hex'),
): string {
  const head = Buffer.alloc(4)
  head[0] = referenceVersion
  head.writeUIntBE(group, 1, 3)
  const plain = Buffer.alloc(21)
  plain.writeUIntBE(told.node, 0, 3)
  plain.writeUInt32BE(told.site, 3)
  plain.writeUIntBE(told.revision, 7, 3)
  plain[10] = guardIds[told.guard as GuardName]
  plain.writeUInt32BE(told.rule, 11)
  plain.writeUInt16BE(told.cause, 15)
  plain.writeUInt32BE(told.time, 17)
  const key = createHmac('sha256', groupKey).update(referenceKeyContext).digest()
  const nonce = Buffer.from(requestId, 'hex').subarray(0, referenceNonceBytes)
  const iv = Buffer.concat([nonce, Buffer.alloc(4)])
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 8 }).setAAD(head)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([head, nonce, body, cipher.getAuthTag()]).toString('base64url')
}
