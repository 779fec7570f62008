/** The last change of a site that this tab made: what the note on it (what changed, where it is live, Undo) is made of. */
import type { SiteRevision } from '@breakwater/contract/site-revision.ts'
import { useSyncExternalStore } from 'react'

let last: SiteRevision | undefined
const watchers = new Set<() => void>()

/** Calls that publish a site and say themselves what came of it. */
const others = new Set(['site.history.restore', 'site.cache.clear', 'site.cache.preheat.create', 'site.domain.prove'])

/** Notes the revision that a call made. */
export function noteRevision(call: { id: string }, made: SiteRevision): void {
  if (others.has(call.id)) return
  last = made
  for (const watch of watchers) watch()
}

export const useLastChange = (): SiteRevision | undefined =>
  useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => last,
  )
