/** Hands feed entries to nginx: which ones are pending, which it refused, and how far it has got. */
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { type Configure, isConfiguration } from './configure.ts'
import type { FeedLog } from './feed-log.ts'
import { log, reasonOf } from './log.ts'
import { type Nginx, NginxFailed } from './nginx.ts'
import { addException, removeException, type State } from './state.ts'

/**
 * nginx compiles sites while requests wait, so it gets them in small chunks that take about `CHUNK_MS` each. `CHUNK`
 * is the number of sites in a chunk.
 */
const CHUNK_MS = 25
const CHUNK = { first: 25, least: 5, most: 200 }

export type Applier = {
  /** Entries that are on disk but not yet acknowledged by nginx. */
  waiting: ReadonlyMap<number, FeedEntry>
  add(entries: readonly FeedEntry[]): void
  /**
   * Hands nginx the pending entries and advances the watermark. Returns the sites that were removed. Throws
   * `NginxAway` and keeps the remaining entries.
   */
  flush(): Promise<number[]>
}

export function applier(nginx: Nginx, feedLog: FeedLog, state: State, configure: Pick<Configure, 'enforce'>): Applier {
  const waiting = new Map<number, FeedEntry>()
  let chunkSize = CHUNK.first

  async function refuse(refused: { entry: FeedEntry; reason: string }[]) {
    for (const { entry, reason } of refused) {
      log.warn('nginx refused a site; it keeps what it had', { site: entry.site, revision: entry.revision, reason })
      addException(state, { site: entry.site, revision: entry.revision, reason, retry: entry })
    }
    const lasts = await feedLog.goBack(refused.map(({ entry }) => entry))
    // nginx still has these, unless it was restarted in between and read the refused ones from disk.
    if (lasts.length > 0) await nginx.apply(lasts)
  }

  /** Returns the entries that nginx refuses. If a whole chunk fails, it is halved until the bad entry is found. */
  async function tell(entries: readonly FeedEntry[]): Promise<{ entry: FeedEntry; reason: string }[]> {
    try {
      const reasons = new Map((await nginx.apply(entries)).map(({ site, reason }) => [site, reason]))
      return entries.flatMap((entry) => {
        const reason = reasons.get(entry.site)
        return reason === undefined ? [] : [{ entry, reason }]
      })
    } catch (error) {
      if (!(error instanceof NginxFailed)) throw error
      const [entry, ...others] = entries
      if (!entry) return []
      if (others.length === 0) return [{ entry, reason: reasonOf(error) }]
      const half = entries.length >> 1
      return [...(await tell(entries.slice(0, half))), ...(await tell(entries.slice(half)))]
    }
  }

  /** The node configuration goes first: sites may depend on ports that it opens. */
  async function enforceConfiguration() {
    const entry = [...waiting.values()].find(isConfiguration)
    if (entry === undefined) return
    const reason = await configure.enforce(entry)
    if (waiting.get(entry.site) === entry) waiting.delete(entry.site)
    if (reason === undefined) removeException(state, entry.site)
    else addException(state, { site: entry.site, revision: entry.revision, reason, retry: entry })
    moveWatermark()
  }

  function moveWatermark() {
    const next = [...waiting.values()].reduce((least, { sequence }) => Math.min(least, sequence), state.after + 1) - 1
    state.watermark = Math.max(state.watermark, next)
  }

  return {
    waiting,
    add(entries) {
      for (const entry of entries) {
        // Re-queued at the end: a host that moves to another site must be released by the old one first.
        waiting.delete(entry.site)
        waiting.set(entry.site, entry)
      }
    },
    async flush() {
      const gone: number[] = []
      await enforceConfiguration()
      while (waiting.size > 0) {
        const chunk = [...waiting.values()].slice(0, chunkSize)
        const toldAt = performance.now()
        const refused = await tell(chunk)
        // A smaller last chunk is no measure for the chunk size.
        if (chunk.length === chunkSize) chunkSize = sizeAfter(chunkSize, performance.now() - toldAt)
        const bad = new Set(refused.map(({ entry }) => entry))
        for (const entry of chunk) {
          if (waiting.get(entry.site) === entry) waiting.delete(entry.site)
          if (bad.has(entry)) continue
          removeException(state, entry.site)
          if (entry.artefact === null) gone.push(entry.site)
        }
        await refuse(refused)
        moveWatermark()
      }
      moveWatermark()
      return gone
    },
  }
}

/** The size of the next chunk, from how long a chunk of this size took. */
const sizeAfter = (size: number, tookMs: number): number =>
  Math.min(Math.max(Math.floor((size * CHUNK_MS) / Math.max(tookMs, 1)), CHUNK.least), CHUNK.most)
