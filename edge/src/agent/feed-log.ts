/** The feed on disk and in memory: which entry each site has here, and which one it had before. */
import { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { crcLog } from './crc-lines.ts'
import type { Layout } from './layout.ts'
import { log } from './log.ts'

/** The log is rewritten when it holds this many more lines than are needed. */
const SURPLUS_LINES = 2000

export type FeedLog = {
  /** The entry of each site that this node serves; the last line of the site on disk. */
  held: ReadonlyMap<number, FeedEntry>
  /** The last lines of all sites beyond a sequence, tombstones as well: what nginx may not know yet after a restart. */
  since(sequence: number): FeedEntry[]
  /** What the site had before: where to go back when nginx refuses. */
  before: ReadonlyMap<number, FeedEntry>
  /** Writes entries and syncs. `settled` says whether nginx has accepted what the site has: only that is worth going back to. */
  append(entries: readonly FeedEntry[], settled: (site: number) => boolean): Promise<void>
  /** Writes that these sites have again what they had before, or nothing, and returns those that have something. */
  goBack(refused: readonly FeedEntry[]): Promise<FeedEntry[]>
  /** Rewrites the log with what is needed, when it is long. Only while nginx knows of all sites that went. */
  compact(surplus?: number): Promise<void>
}

export async function openFeedLog(layout: Layout): Promise<FeedLog> {
  const disk = crcLog(layout.feedLog, layout.readable)
  const held = new Map<number, FeedEntry>()
  const before = new Map<number, FeedEntry>()
  /** Sites that went, until the log is rewritten without them. */
  const gone = new Map<number, FeedEntry>()
  let lines = 0

  function put(entry: FeedEntry, settled: boolean) {
    const old = held.get(entry.site)
    if (entry.artefact === null) {
      held.delete(entry.site)
      before.delete(entry.site)
      gone.set(entry.site, entry)
    } else {
      gone.delete(entry.site)
      if (old && settled && old.artefact !== entry.artefact) before.set(entry.site, old)
      held.set(entry.site, entry)
    }
  }

  const { values, torn } = await disk.read()
  const entries = values.map((value) => FeedEntry.safeParse(value))
  for (const entry of entries) if (entry.success) put(entry.data, true)
  lines = values.length + torn
  const left = torn + entries.filter((entry) => !entry.success).length
  if (left > 0) log.warn('lines of the feed on disk are unreadable and left out', { lines: left })

  async function write(entries: readonly FeedEntry[]) {
    await disk.append(entries)
    lines += entries.length
  }

  return {
    held,
    before,
    since: (sequence) => [...held.values(), ...gone.values()].filter((entry) => entry.sequence > sequence),
    async append(entries, settled) {
      await write(entries)
      for (const entry of entries) put(entry, settled(entry.site))
    },
    async goBack(refused) {
      const lasts = refused.map((entry) => before.get(entry.site) ?? { ...entry, artefact: null, hosts: [] })
      await write(lasts)
      for (const last of lasts) {
        before.delete(last.site)
        put(last, false)
      }
      return lasts.filter((last) => last.artefact !== null)
    },
    async compact(surplus = SURPLUS_LINES) {
      const needed = held.size + before.size
      if (lines - needed < surplus) return
      // The older one first: nginx takes the last line of a site.
      await disk.rewrite([...before.values(), ...held.values()])
      gone.clear()
      lines = needed
    },
  }
}
