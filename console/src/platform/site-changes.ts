/** The last change of a site that this tab made: what the note on it (what changed, where it is live, Undo) is made of. */
import { useSyncExternalStore } from 'react'

/** A number of its own for each change, and what was changed, as the audit log names it: `site.module.urlRedirect`. */
export type SiteChange = { siteId: number; number: number; subject: string }

/** What an action of the audit log is about: all but its verb. */
export const subjectOf = (action: string) => action.replace(/\.[^.]*$/, '')

let last: SiteChange | undefined
const watchers = new Set<() => void>()

/** Calls below a site that change nothing of its settings. */
const others = new Set(['site.history.restore', 'site.cache.clear', 'site.cache.preheat.create', 'site.domain.prove'])

/** Notes a call that went through, where it changed a site's settings. */
export function noteChange(call: { id: string; path: string; audit?: string | undefined }, input: unknown): void {
  const siteId = (input as { siteId?: unknown }).siteId
  if (typeof siteId !== 'number' || call.audit === undefined || others.has(call.id)) return
  last = { siteId, number: (last?.number ?? 0) + 1, subject: subjectOf(call.audit) }
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
