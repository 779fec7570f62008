/** Purges in force, on disk: nginx reads them when it starts, so that purged content never comes back. */
import { PurgeRecord } from '@breakwater/contract/edge/node-disk.ts'
import { crcLog } from './crc-lines.ts'
import type { Layout } from './layout.ts'
import { log } from './log.ts'

const SURPLUS_LINES = 5000

export type PurgeLog = {
  /** The highest task number on disk. */
  last(): number
  append(purges: readonly PurgeRecord[]): Promise<void>
  /** The purges after this task. */
  since(id: number): PurgeRecord[]
  /** Rewrites a long log with one line per key. */
  compact(surplus?: number): Promise<void>
}

/** The newest purge of each key, without those covered by a later purge of the whole site. Pure. */
export function inForce(purges: readonly PurgeRecord[]): PurgeRecord[] {
  const whole = new Map<number, number>()
  const newest = new Map<string, PurgeRecord>()
  for (const purge of [...purges].sort((a, b) => a.id - b.id)) {
    if (purge.type === 'all') whole.set(purge.site, purge.id)
    const values = purge.type === 'all' ? [''] : purge.values
    for (const value of values) {
      const one = { ...purge, values: purge.type === 'all' ? [] : [value] }
      newest.set(`${purge.site} ${purge.type} ${value}`, one)
    }
  }
  const kept = [...newest.values()].filter(({ site, id }) => id >= (whole.get(site) ?? 0))
  return kept.sort((a, b) => a.id - b.id)
}

export async function openPurgeLog(layout: Layout): Promise<PurgeLog> {
  const disk = crcLog(layout.purgesLog, layout.readable)
  const { values, torn } = await disk.read()
  if (torn > 0) log.warn('lines of the purges on disk were cut off and are left out', { lines: torn })
  let purges = values.flatMap((value) => {
    const purge = PurgeRecord.safeParse(value)
    return purge.success ? [purge.data] : []
  })

  return {
    last: () => purges.reduce((most, { id }) => Math.max(most, id), 0),
    async append(more) {
      await disk.append(more)
      purges.push(...more)
    },
    since: (id) => purges.filter((purge) => purge.id > id),
    async compact(surplus = SURPLUS_LINES) {
      if (purges.length < surplus) return
      const kept = inForce(purges)
      // A log of many different keys would hardly get shorter, so it is not rewritten for nothing.
      if (kept.length > purges.length / 2) return
      await disk.rewrite(kept)
      purges = kept
    },
  }
}
