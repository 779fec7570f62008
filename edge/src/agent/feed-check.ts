/** Whether a page of the feed is genuine, new and in order. Pure: decides, changes nothing. */
import {
  FeedEntry,
  type FeedReply,
  feedPayload,
  feedSignatureText,
  type SigningKey,
} from '@breakwater/contract/edge/node-api.ts'
import { z } from 'zod'
import { hashOf } from './objects.ts'
import { requireSignature, Untrusted } from './signatures.ts'

export type Asked = { nodeId: number; epoch: number; after: number; keys: readonly SigningKey[] }

/** The entries of a page, or why it is not believed. A page of a newer epoch has none: it is to be asked for from its beginning. */
export function checkPage(asked: Asked, reply: FeedReply): FeedEntry[] {
  const text = feedSignatureText(asked.nodeId, asked.after, reply, hashOf(feedPayload(reply)))
  requireSignature(asked.keys, reply.signature, text)
  if (reply.epoch < asked.epoch) throw new Untrusted(`epoch ${reply.epoch} is older than ${asked.epoch}`)
  if (reply.epoch > asked.epoch) return []
  const entries = z.array(FeedEntry).parse(JSON.parse(reply.entries))
  let last = asked.after
  for (const { sequence } of entries) {
    if (sequence <= last) throw new Untrusted(`sequence ${sequence} comes after ${last}`)
    last = sequence
  }
  if (entries.length > 0 && (reply.after < last || reply.after > reply.desired)) {
    throw new Untrusted(`a page to ${reply.after} holds ${last}, and ${reply.desired} is desired`)
  }
  if (reply.after < asked.after && reply.desired > asked.after) {
    throw new Untrusted(`a page to ${reply.after} answers for what follows ${asked.after}`)
  }
  return entries
}
