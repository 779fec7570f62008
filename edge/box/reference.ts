/** Decrypts references like the control plane does (contract/src/edge/reference.ts). */
import { createDecipheriv, createHmac } from 'node:crypto'
import type { Reference } from '@breakwater/contract/edge/explain.ts'
import { guardOfId } from '@breakwater/contract/edge/guards.ts'
import { referenceBytes, referenceKeyContext, referencePattern } from '@breakwater/contract/edge/reference.ts'

export function openReference(text: string, groupKey: string): Reference & { group: number; requestIdPrefix: string } {
  const bytes = Buffer.from(text, 'base64url')
  if (!referencePattern.test(text) || bytes.length !== referenceBytes) throw new TypeError('no reference')
  const head = bytes.subarray(0, 4)
  const key = createHmac('sha256', groupKey).update(referenceKeyContext).digest()
  const iv = Buffer.concat([bytes.subarray(4, 12), Buffer.alloc(4)])
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 8 })
  decipher.setAAD(head)
  decipher.setAuthTag(bytes.subarray(-8))
  const plain = Buffer.concat([decipher.update(bytes.subarray(12, -8)), decipher.final()])
  return {
    group: head.readUIntBE(1, 3),
    requestIdPrefix: bytes.subarray(4, 12).toString('hex'),
    node: plain.readUIntBE(0, 3),
    site: plain.readUInt32BE(3),
    revision: plain.readUIntBE(7, 3),
    guard: guardOfId(plain[10]!),
    rule: plain.readUInt32BE(11),
    cause: plain.readUInt16BE(15) as Reference['cause'],
    time: plain.readUInt32BE(17),
  }
}
