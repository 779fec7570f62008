/** Keeps the spool of rows within its quota: rotates it, samples as it grows, and finally drops the oldest rows. */
import { createReadStream, lstatSync, statfsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { log, reasonOf } from './log.ts'
import type { Nginx } from './nginx.ts'
import { everySecond, pause } from './retry.ts'
import { weightFor } from './sampling.ts'
import type { Segment, SegmentedLog } from './segments.ts'
import type { SpoolLimits } from './settings.ts'
import type { EventUpload } from './upload-events.ts'

/** How often the weight is sent to nginx again: a restarted nginx has lost it. */
const REMIND_MS = 10_000
const ERROR_LOG_BYTES = 16_000_000
/** Kept free on the disk, whatever the quota: configuration must still reach this node. */
const RESERVE_BYTES = 256_000_000
const RESERVE_SHARE = 0.02

export type SpoolQuota = {
  /** Bytes waiting for upload. */
  bytes(): number
  run(signal: AbortSignal): Promise<void>
}

export function spoolQuota(
  folder: string,
  limits: SpoolLimits,
  spool: SegmentedLog,
  eventUpload: EventUpload,
  nginx: Nginx,
): SpoolQuota {
  let waiting = 0
  let quota = limits.quotaBytes
  let weight = 1
  let remindAt = 0

  async function bound(files: Segment[]) {
    let bytes = files.reduce((sum, { size }) => sum + size, 0)
    const place = eventUpload.place()
    waiting = bytes - (files.some(({ ino }) => ino === place?.ino) ? (place?.offset ?? 0) : 0)
    quota = Math.min(limits.quotaBytes, bytes + spareBytes(folder))
    for (const file of files) {
      if (bytes <= quota || file.live) return
      const rows = await countLines(file.path, eventUpload.skip(file.ino))
      await rm(file.path, { force: true })
      eventUpload.dropped(rows)
      bytes -= file.size
      waiting = Math.min(waiting, bytes)
      log.warn('the spool is full; its oldest rows are dropped', { rows, bytes: file.size })
    }
  }

  async function sample() {
    const wanted = weightFor(waiting, quota, weight)
    if (wanted === weight && (weight === 1 ? remindAt > 0 : Date.now() < remindAt)) return
    await nginx.sampling(wanted)
    if (wanted !== weight) log.info('rows are sampled', { weight: wanted, spoolBytes: waiting })
    weight = wanted
    remindAt = Date.now() + REMIND_MS
  }

  /** Bounds nginx's error log: `ERROR_LOG_BYTES`, and as much again of the previous one, are kept. */
  async function boundErrors() {
    const path = join(folder, 'error.log')
    const facts = lstatSync(path, { throwIfNoEntry: false })
    if (!facts || facts.size < ERROR_LOG_BYTES) return
    await rename(path, join(folder, 'error.before.log'))
    nginx.signal('SIGUSR1')
  }

  async function round() {
    await boundErrors()
    const files = await spool.list()
    await bound(files)
    // Last, so that what was just rotated is offered for upload before the next round may drop it.
    const isRotated = await spool.rotate(limits.segmentBytes)
    // Needed even if an agent was killed between rename and signal: without it nginx keeps writing to the renamed file.
    if (isRotated || (files.length > 0 && !files.some((file) => file.live))) nginx.signal('SIGUSR1')
    await sample().catch((error) => log.debug('nginx was not told how to sample', { reason: reasonOf(error) }))
  }

  return {
    bytes: () => waiting,
    async run(signal) {
      while (!signal.aborted) {
        await round().catch((error) => log.warn('cannot look after the spool', { reason: reasonOf(error) }))
        await pause(everySecond, signal)
      }
    },
  }
}

/** Free disk space beyond the reserve that the node needs; negative if the spool has to shrink. */
function spareBytes(folder: string): number {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return bavail * bsize - Math.min(RESERVE_BYTES, RESERVE_SHARE * blocks * bsize)
}

async function countLines(path: string, from: number): Promise<number> {
  let lines = 0
  for await (const chunk of createReadStream(path, { start: from }) as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) lines++
  }
  return lines
}
