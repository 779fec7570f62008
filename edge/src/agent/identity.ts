/** The identity that this node received from the control plane at its enrolment, kept in `agent/identity.json`. */
import { join } from 'node:path'
import { EnrolReply, type SigningKey } from '@breakwater/contract/edge/node-api.ts'
import { readIfThere, writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { Untrusted } from './signatures.ts'

/** There are few old keys; more than this would be an attempt to fill the disk. */
const SIGNING_KEYS_MAX = 32

export type Identity = EnrolReply

const pathOf = (layout: Layout) => join(layout.own, 'identity.json')

export async function readIdentity(layout: Layout): Promise<Identity | undefined> {
  const text = await readIfThere(pathOf(layout))
  return text && EnrolReply.parse(JSON.parse(text.toString('utf8')))
}

export async function writeIdentity(layout: Layout, identity: Identity): Promise<void> {
  await writeDurably(pathOf(layout), `${JSON.stringify(identity, null, 2)}\n`, layout.private)
}

/** Saves the public addresses that the operator set for this node, so that they are known at the next start. */
export async function learnAddresses(
  layout: Layout,
  identity: Identity,
  addresses: string[] | undefined,
): Promise<void> {
  if (addresses === undefined || addresses.join() === (identity.publicAddresses ?? []).join()) return
  identity.publicAddresses = addresses
  await writeIdentity(layout, identity)
}

/**
 * Learns signing keys that a known key vouched for. A known key ID with different bytes is refused: IDs are never
 * reused, so it would be a foreign key under a trusted ID.
 */
export async function learnKeys(layout: Layout, identity: Identity, keys: readonly SigningKey[]): Promise<void> {
  const unknown = keys.filter((key) => {
    const known = identity.signingKeys.find(({ id }) => id === key.id)
    if (known && known.publicKey !== key.publicKey) throw new Untrusted(`key ${key.id} came with other bytes`)
    return !known
  })
  if (unknown.length === 0) return
  identity.signingKeys = [...identity.signingKeys, ...unknown].slice(-SIGNING_KEYS_MAX)
  await writeIdentity(layout, identity)
}
