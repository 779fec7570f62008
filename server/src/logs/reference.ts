/**
 * Opens a reference id: what a node sealed into a refusal (contract `edge/reference.ts`). The node has the counterpart
 * that writes it.
 */
import { createDecipheriv, createHmac } from 'node:crypto'
import type { Reference } from '@breakwater/contract/edge/explain.ts'
import { guardOfId } from '@breakwater/contract/edge/guards.ts'
import {
  referenceNonceBytes as nonceBytes,
  referenceBytes,
  referenceKeyContext,
  referencePattern,
  referenceVersion,
} from '@breakwater/contract/edge/reference.ts'

const headBytes = 4
const tagBytes = 8

export type OpenedReference = Reference & {
  /** The first characters of the log row's request id, in hexadecimal. */
  requestIdPrefix: string
}

/** The group whose key opens a reference, or undefined if the text is not a reference. */
export function groupOfReference(text: string): number | undefined {
  if (!referencePattern.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === referenceBytes && bytes[0] === referenceVersion ? bytes.readUIntBE(1, 3) : undefined
}

/** The content of a reference, or undefined if the key is another group's or any bit was changed. */
export function openReference(text: string, groupKey: Uint8Array): OpenedReference | undefined {
  if (groupOfReference(text) === undefined) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const head = bytes.subarray(0, headBytes)
  const nonce = bytes.subarray(headBytes, headBytes + nonceBytes)
  const key = createHmac('sha256', groupKey).update(referenceKeyContext).digest()
  const iv = Buffer.concat([nonce, Buffer.alloc(4)])
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
  decipher.setAAD(head).setAuthTag(bytes.subarray(-tagBytes))
  try {
    const plain = Buffer.concat([decipher.update(bytes.subarray(headBytes + nonceBytes, -tagBytes)), decipher.final()])
    return { ...readPlain(plain), requestIdPrefix: nonce.toString('hex') }
  } catch {
    return undefined
  }
}

function readPlain(plain: Buffer): Reference {
  return {
    node: plain.readUIntBE(0, 3),
    site: plain.readUInt32BE(3),
    revision: plain.readUIntBE(7, 3),
    guard: guardOfId(plain[10]!),
    rule: plain.readUInt32BE(11),
    cause: plain.readUInt16BE(15),
    time: plain.readUInt32BE(17),
  }
}
