/** The last change of a site that this tab made: what the note on it (what changed, where it is live, Undo) is made of. */
import { useSyncExternalStore } from 'react'

export type SiteChange = { siteId: number; revision: number }

let last: SiteChange | undefined
const watchers = new Set<() => void>()

/** Calls that publish a site and say themselves what came of it. */
const others = new Set(['site.history.restore', 'site.cache.clear', 'site.cache.preheat.create', 'site.domain.prove'])

/** Notes the revision that a call made of the site it names. */
export function noteRevision(call: { id: string }, input: unknown, revision: number): void {
  const siteId = (input as { siteId?: unknown }).siteId
  if (typeof siteId !== 'number' || others.has(call.id)) return
  last = { siteId, revision }
  for (const watch of watchers) watch()
}

export const useLastChange = (): SiteChange | undefined =>
  useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => last,
  )
