/** Removes objects and secrets that no site needs, for neither its current nor its previous entry. */
import { parseArtefact, partsOf, secretsOf } from './artefacts.ts'
import type { FeedLog } from './feed-log.ts'
import { log, reasonOf } from './log.ts'
import type { ObjectStore } from './objects.ts'
import { type Secrets, secretKey } from './secrets.ts'

type Needs = { objects: string[]; secrets: string[] }

export type GarbageCollect = () => Promise<void>

/**
 * Caches what each artefact needs, so that ten thousand of them are not read again for one tombstone. `others` are
 * objects that the node itself needs.
 */
export function garbageCollector(
  feedLog: FeedLog,
  objects: ObjectStore,
  secrets: Secrets,
  others: () => string[],
): GarbageCollect {
  let known = new Map<string, Needs>()

  async function needsOf(hash: string, site: number): Promise<Needs | undefined> {
    const bytes = known.has(hash) ? undefined : await objects.read(hash)
    if (!bytes) return known.get(hash)
    const artefact = parseArtefact(bytes, site)
    return {
      objects: [hash, ...partsOf(artefact).map((part) => part.hash)],
      secrets: secretsOf(artefact).map((ref) => secretKey({ site, ref })),
    }
  }

  return async function garbageCollect(): Promise<void> {
    const kept = new Map<string, Needs>()
    for (const { site, artefact } of [...feedLog.held.values(), ...feedLog.before.values()]) {
      if (artefact === null) continue
      try {
        const needs = await needsOf(artefact, site)
        if (needs) kept.set(artefact, needs)
      } catch (error) {
        // It is unknown what an unreadable artefact needs, so nothing is removed until it is replaced.
        log.warn('cannot collect: an artefact is unreadable', { site, reason: reasonOf(error) })
        return
      }
    }
    known = kept
    const gone = await objects.sweep(new Set([...others(), ...[...kept.values()].flatMap((needs) => needs.objects)]))
    await secrets.sweep(new Set([...kept.values()].flatMap((needs) => needs.secrets)))
    if (gone > 0) log.info('removed objects that no site needs', { objects: gone })
  }
}
