/** Checks that a page of the feed is authentic, new and in order. Pure. */
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

/** An invalid entry for a site. It does not affect the other entries of its page. */
export type Malformed = { site: number; revision: number; reason: string }

const Placed = z.object({ sequence: z.number().int().positive(), site: z.number().int() })

/**
 * Returns the entries of a page; throws `Untrusted` if it cannot be trusted. For a newer epoch it returns none: that
 * feed is requested from its beginning.
 */
export function checkPage(asked: Asked, reply: FeedReply): { entries: FeedEntry[]; malformed: Malformed[] } {
  const text = feedSignatureText(asked.nodeId, asked.after, reply, hashOf(feedPayload(reply)))
  requireSignature(asked.keys, reply.signature, text)
  if (reply.epoch < asked.epoch) throw new Untrusted(`epoch ${reply.epoch} is older than ${asked.epoch}`)
  const entries: FeedEntry[] = []
  const malformed: Malformed[] = []
  if (reply.epoch > asked.epoch) return { entries, malformed }
  const values = listOf(reply.entries)
  let last = asked.after
  for (const value of values) {
    const placed = Placed.safeParse(value)
    if (!placed.success) throw new Untrusted('an entry has no sequence or no site')
    const { sequence, site } = placed.data
    if (sequence <= last) throw new Untrusted(`sequence ${sequence} comes after ${last}`)
    last = sequence
    const entry = FeedEntry.safeParse(value)
    if (entry.success) entries.push(entry.data)
    else malformed.push({ site, revision: revisionOf(value), reason: `entry: ${sayIssue(entry.error)}` })
  }
  if (values.length > 0 && (reply.after < last || reply.after > reply.desired)) {
    throw new Untrusted(`a page to ${reply.after} holds ${last}, and ${reply.desired} is desired`)
  }
  if (reply.after < asked.after && reply.desired > asked.after) {
    throw new Untrusted(`a page to ${reply.after} answers for what follows ${asked.after}`)
  }
  return { entries, malformed }
}

function listOf(text: string): unknown[] {
  try {
    return z.array(z.unknown()).parse(JSON.parse(text))
  } catch {
    throw new Untrusted('the entries are no list')
  }
}

const revisionOf = (value: unknown): number => {
  const { revision } = value as { revision?: unknown }
  return Number.isSafeInteger(revision) ? Number(revision) : 0
}

const sayIssue = ({ issues: [issue] }: z.ZodError): string => `${issue?.path.join('.')}: ${issue?.message}`
