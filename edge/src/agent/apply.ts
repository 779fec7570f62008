/** Handing entries to nginx: what waits for it, what it refused, and how far it is. */
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { type Configure, isConfiguration } from './configure.ts'
import type { FeedLog } from './feed-log.ts'
import { log, reasonOf } from './log.ts'
import { type Nginx, NginxFailed } from './nginx.ts'
import { addException, removeException, type State } from './state.ts'

/** nginx compiles what it is told while requests wait, so it is told little at a time: what takes it about so many ms, and at first so many sites. */
const CHUNK_MS = 25
const CHUNK = { first: 25, least: 5, most: 200 }

export type Applier = {
  /** Entries that are on disk and that nginx has not answered for. */
  waiting: ReadonlyMap<number, FeedEntry>
  add(entries: readonly FeedEntry[]): void
  /** Hands nginx what waits and moves the watermark. Throws `NginxAway`, and keeps what is left. Returns sites that are gone. */
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
    // nginx kept these itself, unless it was started in between and read the refused ones from disk.
    if (lasts.length > 0) await nginx.apply(lasts)
  }

  /** What nginx refuses of these. A chunk that it fails on as a whole is asked entry by entry: one must not stop the others. */
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

  /** The node's own configuration goes first: sites may be told of ports that it opens. */
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
        // At the end of the line: a host that changes its site is given up by one before the other has it.
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
        // The last few of a change say little of the others.
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

/** From how long a chunk of that size took to the size of the next one. */
const sizeAfter = (size: number, tookMs: number): number =>
  Math.min(Math.max(Math.floor((size * CHUNK_MS) / Math.max(tookMs, 1)), CHUNK.least), CHUNK.most)
