/** Objects by hash: from disk, or else from the control plane in batches, each held against its name. */
import type { SchemaVersion } from '@breakwater/contract/edge/artefact.ts'
import { ObjectsReply } from '@breakwater/contract/edge/node-api.ts'
import { type ControlPlane, TooLong } from './control-plane.ts'
import { hashOf, type ObjectStore } from './objects.ts'

/** Small enough that a batch of long address lists stays well below the reply's limit. */
const BATCH = 100

/** Said of what the control plane left out of its answer: most often because a newer revision has taken its place. */
export const notGiven = 'the control plane does not give it to this node'

export type Source = { schema: SchemaVersion; plane: ControlPlane; objects: ObjectStore }

/** The bytes by hash, or why they cannot be had. Nothing is written: they are to be checked first. */
export type Gathered = { take(hash: string): Buffer }

export async function gather(hashes: readonly string[], source: Source): Promise<Gathered> {
  const found = new Map<string, Buffer>()
  const reasons = new Map<string, string>()
  const lacking: string[] = []
  for (const hash of new Set(hashes)) {
    const bytes = await source.objects.read(hash)
    if (bytes) found.set(hash, bytes)
    else lacking.push(hash)
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
  return {
    take(hash) {
      const bytes = found.get(hash)
      if (!bytes) throw new Error(reasons.get(hash) ?? 'it is missing')
      return bytes
    },
  }
}

/** Base64 by hash. One object that is too long to be sent stands as an empty text, and does not keep the others away. */
async function ask(batch: readonly string[], source: Source): Promise<Record<string, string>> {
  try {
    return (await source.plane.post('/objects', { hashes: batch, schema: source.schema }, ObjectsReply)).objects
  } catch (error) {
    if (!(error instanceof TooLong)) throw error
    const [only, ...others] = batch
    if (only === undefined || others.length === 0) return Object.fromEntries(batch.map((hash) => [hash, '']))
    const found: Record<string, string> = {}
    for (const hash of batch) Object.assign(found, await ask([hash], source))
    return found
  }
}
