/** Who this node is, as the control plane told it once: kept in `agent/identity.json`. */
import { join } from 'node:path'
import { EnrolReply, type SigningKey } from '@breakwater/contract/edge/node-api.ts'
import { readIfThere, writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { Untrusted } from './signatures.ts'

/** Old keys are few; more than this is somebody filling the disk. */
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

/** Keeps the public addresses that the operator set for this node, so that they are known at the next start too. */
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
 * Learns signing keys that a known key vouched for. A name that is known with other bytes is refused: names are never
 * used again, so that would be somebody else's key under a trusted name.
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
