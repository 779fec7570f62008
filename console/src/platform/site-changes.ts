/** The last change of a site made in this tab, for the message about it (what changed, where it is live, Undo). */
import type { SiteRevision } from '@breakwater/contract/site-revision.ts'
import { useSyncExternalStore } from 'react'

let last: SiteRevision | undefined
const watchers = new Set<() => void>()

/** Calls that publish a site but report the outcome themselves. */
const others = new Set(['site.history.restore', 'site.cache.clear', 'site.cache.preheat.create', 'site.domain.prove'])

/** Records the revision that a call created. */
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
