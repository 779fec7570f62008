/** The feed on disk and in memory: each site's current entry, and its previous one. */
import { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { crcLog } from './crc-lines.ts'
import type { Layout } from './layout.ts'
import { log } from './log.ts'

/** The log is rewritten when it holds this many more lines than are needed. */
const SURPLUS_LINES = 2000

export type FeedLog = {
  /** The current entry of each site that this node serves: the site's last line on disk. */
  held: ReadonlyMap<number, FeedEntry>
  /** The last entries of all sites after a sequence, with tombstones: what nginx may not know after a restart. */
  since(sequence: number): FeedEntry[]
  /** The previous entry of each site, to roll back to if nginx refuses the current one. */
  before: ReadonlyMap<number, FeedEntry>
  /**
   * Writes entries and syncs. `settled` tells whether nginx has accepted the site's current entry: only then may it be
   * rolled back to.
   */
  append(entries: readonly FeedEntry[], settled: (site: number) => boolean): Promise<void>
  /** Rolls these sites back to their previous entries, or to a tombstone if none. Returns the previous entries. */
  goBack(refused: readonly FeedEntry[]): Promise<FeedEntry[]>
  /** Rewrites a long log with only the needed lines. Call it only while nginx knows about all removed sites. */
  compact(surplus?: number): Promise<void>
}

export async function openFeedLog(layout: Layout): Promise<FeedLog> {
  const disk = crcLog(layout.feedLog, layout.readable)
  const held = new Map<number, FeedEntry>()
  const before = new Map<number, FeedEntry>()
  /** Removed sites, until the log is rewritten without them. */
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
      // Older entries first: nginx uses the last line of a site.
      await disk.rewrite([...before.values(), ...held.values()])
      gone.clear()
      lines = needed
    },
  }
}
