/**
 * Reports the bans that nginx began to the control plane. They are first written to disk, so that nginx finds them
 * after a restart. The position in nginx's log advances once the control plane has them; a killed agent reports them
 * again.
 */
import { join } from 'node:path'
import { formatRange, parseAddress, parseRange } from '@breakwater/contract/addresses.ts'
import { BanReceipt, type BanReport, banReportsMax } from '@breakwater/contract/edge/bans.ts'
import { BegunBan } from '@breakwater/contract/edge/node-disk.ts'
import { z } from 'zod'
import { type ControlPlane, Refused } from './control-plane.ts'
import { readIfThere, writeDurably } from './files.ts'
import { type HeldBans, keyOfBan } from './held-bans.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import type { Place, SegmentedLog } from './segments.ts'

const READ_BYTES = 1_000_000
const ROTATE_BYTES = 4_000_000

const Note = z.object({ ino: z.number(), offset: z.number() })

/** The most bans that may wait for the control plane; further ones stay in nginx's log. */
const WAITING_MAX = 20_000

export type BegunBans = {
  /** Writes the bans that nginx began since the last call to disk. */
  keep(): Promise<void>
  /** Reports them to the control plane. Throws if it is unreachable; the bans stay in force on this node. */
  tell(): Promise<void>
  /** The keys of the bans that are not reported yet. */
  waiting(): ReadonlySet<string>
}

/** Reports, each with the epoch second at which the ban ends, and the log position after their lines. */
type Batch = { bans: { report: BanReport; until: number }[]; place: Place }

/** What counts as one client: an IPv4 address, or the /64 of an IPv6 one. Undefined if the text is no address. */
export function banAddress(text: string): string | undefined {
  const address = parseAddress(text)
  if (address === undefined) return undefined
  const range = parseRange(address.family === 4 ? text : `${text}/64`)
  return range && formatRange(range)
}

export async function openBegunBans(
  layout: Layout,
  spool: SegmentedLog,
  plane: Pick<ControlPlane, 'post'>,
  held: HeldBans,
  now = () => Date.now() / 1000,
): Promise<BegunBans> {
  const path = join(layout.own, 'bans.json')
  const waiting: Batch[] = []
  let place = noteOf(await readIfThere(path))

  async function send(batch: Batch) {
    const bans = batch.bans.flatMap(({ report, until }) => {
      const seconds = Math.ceil(until - now())
      return seconds < 1 ? [] : [{ ...report, seconds }]
    })
    if (bans.length === 0) return
    try {
      const { refused } = await plane.post('/bans', { bans }, BanReceipt)
      await held.take(refused.map(({ site, address }) => ({ site, address, seconds: 0 })))
    } catch (error) {
      if (!(error instanceof Refused && error.final)) throw error
      log.error('the control plane does not take bans of this node', { reason: reasonOf(error) })
    }
  }

  return {
    waiting: () => new Set(waiting.flatMap(({ bans }) => bans.map(({ report }) => keyOfBan(report)))),

    async keep() {
      await spool.rotate(ROTATE_BYTES)
      while (waiting.length * banReportsMax < WAITING_MAX) {
        const found = await spool.next(place, READ_BYTES, banReportsMax)
        place = found.place
        if (!found.lines) return
        const { bytes, place: from, end } = found.lines
        const lines = bytes.toString('utf8').split('\n')
        const bans = lines.flatMap((line) => (line === '' ? [] : (begunBan(line, now()) ?? [])))
        await held.take(bans.map(({ report }) => report))
        place = { ino: from.ino, offset: end }
        waiting.push({ bans, place })
      }
    },

    async tell() {
      for (let batch = waiting[0]; batch; batch = waiting[0]) {
        await send(batch)
        waiting.shift()
        await writeDurably(path, JSON.stringify(batch.place), layout.private)
        await spool.removeBefore(batch.place)
      }
    },
  }
}

function noteOf(text: Buffer | undefined): Place | undefined {
  if (!text) return undefined
  try {
    return Note.parse(JSON.parse(text.toString('utf8')))
  } catch (error) {
    log.error('the note about bans is unreadable; they are told again', { reason: reasonOf(error) })
    return undefined
  }
}

/** Parses a line of nginx's log. Undefined if the ban is over by now, or the line is unreadable. */
function begunBan(line: string, now: number): Batch['bans'][number] | undefined {
  try {
    const { at, ...begun } = BegunBan.parse(JSON.parse(line))
    const address = banAddress(begun.address)
    const until = at + begun.seconds
    const seconds = Math.ceil(until - now)
    return address === undefined || seconds < 1 ? undefined : { report: { ...begun, address, seconds }, until }
  } catch (error) {
    log.warn('a line about a ban is unreadable', { reason: reasonOf(error) })
    return undefined
  }
}
