/** Reads objects by hash: from disk, or else in batches from the control plane, verified against their hashes. */
import { schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import { ObjectsReply } from '@breakwater/contract/edge/node-api.ts'
import { type ControlPlane, TooLong } from './control-plane.ts'
import { hashOf, type ObjectStore } from './objects.ts'

/** The contract's maximum of hashes per request. Objects that do not fit in the reply are requested again. */
const BATCH = 500

/** Files read concurrently. */
const READERS = 32

/** The reason for objects missing in the reply: most often a newer revision has replaced them. */
export const notGiven = 'the control plane does not give it to this node'

export type Source = { plane: ControlPlane; objects: ObjectStore }

/**
 * `take` returns an object's bytes, or throws with why they could not be fetched. Nothing is written: the caller checks
 * them first. `isNew` tells whether an object is not on disk yet.
 */
export type FetchedObjects = { take(hash: string): Buffer; isNew(hash: string): boolean }

export async function fetchObjects(hashes: readonly string[], source: Source): Promise<FetchedObjects> {
  const found = new Map<string, Buffer>()
  const reasons = new Map<string, string>()
  const lacking: string[] = []
  const wanted = [...new Set(hashes)]
  for (let from = 0; from < wanted.length; from += READERS) {
    const some = wanted.slice(from, from + READERS)
    const read = await Promise.all(some.map((hash) => source.objects.read(hash)))
    for (const [at, hash] of some.entries()) {
      const bytes = read[at]
      if (bytes) found.set(hash, bytes)
      else lacking.push(hash)
    }
  }
  for (let from = 0; from < lacking.length; from += BATCH) {
    const batch = lacking.slice(from, from + BATCH)
    const objects = await ask(batch, source)
    for (const hash of batch) {
      const text = objects[hash]
      const bytes = text === undefined ? undefined : Buffer.from(text, 'base64')
      if (text === '' && hash !== hashOf('')) reasons.set(hash, 'it is too long')
      else if (!bytes) reasons.set(hash, notGiven)
      else if (hashOf(bytes) !== hash) reasons.set(hash, 'its bytes are not what its hash says')
      else found.set(hash, bytes)
    }
  }
  const fetched = new Set(lacking)
  return {
    isNew: (hash) => fetched.has(hash),
    take(hash) {
      const bytes = found.get(hash)
      if (!bytes) throw new Error(reasons.get(hash) ?? 'it is missing')
      return bytes
    },
  }
}

/**
 * Returns Base64 by hash. The control plane omits objects that do not fit in a reply, so the rest is requested until a
 * reply brings nothing new.
 */
async function ask(batch: readonly string[], source: Source): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (let lacking = batch; lacking.length > 0; ) {
    const some = await askOnce(lacking, source)
    Object.assign(found, some)
    const rest = lacking.filter((hash) => found[hash] === undefined)
    if (rest.length === lacking.length) break
    lacking = rest
  }
  return found
}

/** An object that is too long to be sent is returned as an empty string, and does not block the others. */
async function askOnce(batch: readonly string[], source: Source): Promise<Record<string, string>> {
  try {
    return (await source.plane.post('/objects', { hashes: batch, schema: schemaCurrent }, ObjectsReply)).objects
  } catch (error) {
    if (!(error instanceof TooLong)) throw error
    const [only, ...others] = batch
    if (only === undefined || others.length === 0) return Object.fromEntries(batch.map((hash) => [hash, '']))
    // Split in tenths: few requests, and few of them contain the long object.
    const size = Math.ceil(batch.length / 10)
    const found: Record<string, string> = {}
    for (let from = 0; from < batch.length; from += size)
      Object.assign(found, await askOnce(batch.slice(from, from + size), source))
    return found
  }
}
