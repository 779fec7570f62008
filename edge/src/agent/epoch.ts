/**
 * A new epoch means that the control plane's database was restored. Its feed is compared with what this node holds,
 * which never reverts a site to an older revision or removes it. Later changes in the new epoch apply as usual.
 */
import type { FeedEntry, FeedReply } from '@breakwater/contract/edge/node-api.ts'
import type { FeedLog } from './feed-log.ts'
import { log } from './log.ts'
import { addException, removeException, type State } from './state.ts'

export function beginEpoch(state: State, reply: Pick<FeedReply, 'epoch' | 'desired'>): void {
  log.info('the feed has a new epoch; comparing', { from: state.epoch, to: reply.epoch })
  state.epoch = reply.epoch
  state.after = 0
  state.watermark = 0
  state.comparing = { until: reply.desired, sites: [] }
}

/** The entries of a page to apply. During a comparison, entries older than the held ones become exceptions. */
export function compare(state: State, feedLog: Pick<FeedLog, 'held'>, entries: readonly FeedEntry[]): FeedEntry[] {
  const { comparing } = state
  if (!comparing) return [...entries]
  return entries.filter((entry) => {
    // The new epoch knows the site, even if it was changed since the comparison began.
    comparing.sites.push(entry.site)
    if (entry.sequence > comparing.until) return true
    const held = feedLog.held.get(entry.site)
    if (!held || entry.revision >= held.revision) return true
    const reason = `the control plane was restored to revision ${entry.revision}; this node keeps its newer ${held.revision}`
    addException(state, { site: entry.site, revision: entry.revision, reason })
    return false
  })
}

/**
 * Ends the comparison once the page that reaches its end was taken. Sites unknown to the new epoch stay, and are
 * reported.
 */
export function endComparison(state: State, feedLog: Pick<FeedLog, 'held'>): void {
  if (!state.comparing || state.after < state.comparing.until) return
  const seen = new Set(state.comparing.sites)
  for (const exception of [...state.exceptions]) {
    if (!seen.has(exception.site) && !feedLog.held.has(exception.site)) removeException(state, exception.site)
  }
  for (const { site, revision } of feedLog.held.values()) {
    if (!seen.has(site)) {
      addException(state, {
        site,
        revision,
        reason: 'the restored control plane does not know this site; this node keeps it',
      })
    }
  }
  state.comparing = undefined
}
