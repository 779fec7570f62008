/** The bans that this node enforces: on disk, where nginx reads them at its start, and sent to nginx while it runs. */
import type { BanChange } from '@breakwater/contract/edge/bans.ts'
import { BanRecord } from '@breakwater/contract/edge/node-disk.ts'
import { crcLog } from './crc-lines.ts'
import type { Layout } from './layout.ts'
import { log } from './log.ts'
import { type Nginx, NginxAway } from './nginx.ts'

const SURPLUS_LINES = 5000
const BATCH = 1000

type Key = Pick<BanRecord, 'site' | 'address'>
export const keyOfBan = ({ site, address }: Key): string => `${site} ${address}`

export type HeldBans = {
  /** Takes bans and lifted bans, and writes them to disk first. Those already known cost nothing. */
  take(changes: readonly BanChange[]): Promise<void>
  /** Sends nginx the changes it lacks. If nginx is down, it reads the disk at its start and gets them again later. */
  tell(): Promise<void>
  /** All bans in force. */
  all(): BanRecord[]
}

/** Two reports of a ban whose ends differ by at most this many seconds count as the same ban. */
const SAME_SECONDS = 2

export async function openHeldBans(
  layout: Layout,
  nginx: Pick<Nginx, 'bans'>,
  now = () => Date.now() / 1000,
): Promise<HeldBans> {
  const disk = crcLog(layout.bansLog, layout.readable)
  const { values, torn } = await disk.read()
  if (torn > 0) log.warn('lines of the bans on disk were cut off and are left out', { lines: torn })
  const held = new Map<string, BanRecord>()
  for (const value of values) {
    const record = BanRecord.safeParse(value).data
    if (record) held.set(keyOfBan(record), record)
  }
  let lines = values.length
  const untold = new Map<string, BanRecord>()
  forgetEnded()

  function forgetEnded() {
    for (const [key, { until }] of held) if (until <= now()) held.delete(key)
  }

  const isNews = (record: BanRecord): boolean => {
    const known = held.get(keyOfBan(record))
    return record.until === 0
      ? known !== undefined
      : known === undefined || Math.abs(known.until - record.until) > SAME_SECONDS
  }

  return {
    async take(changes) {
      const records = changes.map(({ site, address, seconds }) => ({
        ...{ site, address },
        until: seconds === 0 ? 0 : Math.ceil(now() + seconds),
      }))
      const news = records.filter(isNews)
      if (news.length === 0) return
      await disk.append(news)
      lines += news.length
      for (const record of news) {
        held.set(keyOfBan(record), record)
        untold.set(keyOfBan(record), record)
      }
      forgetEnded()
      if (lines < 2 * held.size + SURPLUS_LINES) return
      await disk.rewrite([...held.values()])
      lines = held.size
    },

    async tell() {
      while (untold.size > 0) {
        const batch = [...untold.entries()].slice(0, BATCH)
        const bans = batch.map(([, { site, address, until }]) => {
          return { site, address, seconds: Math.max(0, Math.ceil(until - now())) }
        })
        try {
          await nginx.bans(bans)
        } catch (error) {
          if (error instanceof NginxAway) return
          throw error
        }
        for (const [key, record] of batch) if (untold.get(key) === record) untold.delete(key)
      }
    },

    all() {
      forgetEnded()
      return [...held.values()]
    },
  }
}
