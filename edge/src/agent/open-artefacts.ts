/** Brings the artefacts of feed entries to disk. */
import type { Artefact } from '@breakwater/contract/edge/artefact.ts'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { parseArtefact, requireEntry } from './artefacts.ts'
import { type FetchedObjects, fetchObjects, type Source } from './fetch-objects.ts'
import { reasonOf } from './log.ts'

/** An entry that refers to an artefact. */
export type Live = FeedEntry & { artefact: string }

export type Opened = { entry: Live; artefact: Artefact } | { entry: Live; reason: string }

export async function openArtefacts(entries: readonly Live[], source: Source): Promise<Opened[]> {
  const found = await fetchObjects(
    entries.map((entry) => entry.artefact),
    source,
  )
  const opened = entries.map((entry) => openOne(entry, found))
  const fresh = opened.flatMap((one) =>
    'artefact' in one && found.isNew(one.entry.artefact) ? [one.entry.artefact] : [],
  )
  const failed = await source.objects.write(new Map(fresh.map((hash) => [hash, found.take(hash)])))
  return opened.map((one) => {
    const reason = failed.get(one.entry.artefact)
    return reason === undefined ? one : { entry: one.entry, reason: `artefact: ${reason}` }
  })
}

function openOne(entry: Live, found: FetchedObjects): Opened {
  try {
    const artefact = parseArtefact(found.take(entry.artefact), entry.site)
    const names = artefact.domains.map(({ name }) => name)
    requireEntry(artefact, names, entry)
    return { entry, artefact }
  } catch (error) {
    return { entry, reason: `artefact: ${reasonOf(error)}` }
  }
}
