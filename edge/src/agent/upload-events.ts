/**
 * Uploads request rows at least once. The batch about to be sent (which bytes, under which number) is noted on disk
 * first, so that a killed agent sends the same batch again and the control plane recognizes it.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { rowMark } from '@breakwater/contract/edge/row-lines.ts'
import { z } from 'zod'
import { type ControlPlane, Refused } from './control-plane.ts'
import { passing } from './failpoint.ts'
import { readIfThere, writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { backoff, pause } from './retry.ts'
import { lastTime, moveLines, type OwnLines, ownLines } from './row-lines.ts'
import type { Place, SegmentedLog } from './segments.ts'
import { sendEvents } from './send-events.ts'
import type { SpoolLimits } from './settings.ts'
import { BATCH_BYTES, type Lookers, MANY_BYTES, uploadPace } from './upload-pace.ts'

const BATCH_ROWS = 60_000
/** This share of the quota is sent at once, too: gathered rows must not look like rows that cannot be sent. */
const MANY_SHARE = 1 / 32
/** nginx keeps rows in memory for up to a second before it writes them. */
const UNWRITTEN_SECONDS = 1.5
/** A batch that is refused repeatedly is given up after this many tries, some eight minutes. */
const REFUSED_MAX = 20

const PlaceNote = z.object({ ino: z.number(), offset: z.number() })
const Note = z.object({
  boot: z.string(),
  /** The number of the last started batch. */
  sequence: z.number().int(),
  place: PlaceNote.optional(),
  /**
   * The batch that was started and not confirmed. `without` are sites removed from it after a refusal; `moved` is the
   * number of seconds by which its times are shifted because this machine's clock was off when it was started.
   */
  begun: z
    .object({ place: PlaceNote, end: z.number(), without: z.array(z.number()), moved: z.number().default(0) })
    .optional(),
})

export type EventUpload = {
  run(signal: AbortSignal): Promise<void>
  /**
   * Forgets a file that is about to be removed, and returns the offset from which it was not uploaded. Writes nothing:
   * a full disk is one of the reasons, and a place in a removed file means the start of the next one anyway.
   */
  skip(ino: number): number
  /** Up to where rows are uploaded. */
  place(): Place | undefined
  droppedRows(): number
  /** Epoch seconds up to which all rows are uploaded; undefined until the spool was read for the first time. */
  until(): number | undefined
  dropped(rows: number): void
}

/** `serves` tells whether this node has a site: a batch with rows of other sites is refused. */
export async function openEventUpload(
  layout: Layout,
  plane: ControlPlane,
  node: number,
  spool: SegmentedLog,
  { quotaBytes }: SpoolLimits,
  looking: Lookers,
  serves: (site: number) => boolean,
): Promise<EventUpload> {
  const path = join(layout.own, 'uploads.json')
  const text = await readIfThere(path)
  const fresh = { boot: randomBytes(8).toString('hex'), sequence: 0 }
  // If unreadable, a new boot ID ensures that no number is used twice for different bytes.
  const note: z.output<typeof Note> = (text && Note.safeParse(tryJson(text)).data) || fresh
  let droppedRows = 0
  let until: number | undefined
  let refusals = 0
  /** The bytes read when the batch was started, so that they are not read twice. */
  let read: Buffer | undefined
  const pace = uploadPace(Math.min(MANY_BYTES, quotaBytes * MANY_SHARE), looking)

  const save = () => writeDurably(path, JSON.stringify(note), layout.private)
  const drop = (rows: number) => {
    droppedRows += rows
  }

  /** Starts the next batch. Returns false if no complete line is waiting, or the clock offset is unknown. */
  async function begin(): Promise<boolean> {
    const moved = plane.clockOffset()
    if (moved === undefined) return false
    const asked = Date.now() / 1000 + moved
    const { lines, place } = await spool.next(note.place, BATCH_BYTES, BATCH_ROWS)
    const isNext = place?.ino !== note.place?.ino
    note.place = place
    if (!lines) until = asked - UNWRITTEN_SECONDS
    else {
      note.sequence++
      read = lines.bytes
      note.begun = { place: lines.place, end: lines.end, without: [], moved }
    }
    if (lines || isNext) await save()
    if (place && isNext) await spool.removeBefore(place)
    return lines !== undefined
  }

  function end() {
    if (note.begun) note.place = { ino: note.begun.place.ino, offset: note.begun.end }
    note.begun = undefined
    refusals = 0
  }

  /** Sends the started batch. Returns true if it was about full, so that more is likely to be waiting. */
  async function send(): Promise<boolean> {
    const { begun } = note
    const bytes = read ?? (begun && (await spool.again(begun.place, begun.end)))
    read = undefined
    if (!begun || !bytes) {
      end()
      return false
    }
    const own = ownLines(bytes, node, new Set(begun.without))
    const moved = moveLines(own.bytes, begun.moved)
    try {
      if (own.rows > 0) {
        const { boot, sequence } = note
        const { rows } = own
        await sendEvents(plane, { kind: 'requests', form: 'lines', boot, sequence, rows }, moved, {
          ...{ rows, bytes: moved.length, sites: [...own.sites], mark: rowMark },
          ...{ from: own.from + begun.moved, to: own.to + begun.moved },
        })
      }
      until = lastTime(moved) ?? until
      passing?.('rows acknowledged')
    } catch (error) {
      if (!(error instanceof Refused && error.final)) throw error
      await refused(error, own)
      return false
    }
    drop(own.torn + own.without)
    end()
    return own.rows >= BATCH_ROWS || bytes.length > BATCH_BYTES / 2
  }

  /** Removes rows of sites that left this node; a batch that is still refused is finally given up. */
  async function refused(error: Refused, { rows, sites }: OwnLines) {
    const gone = [...sites].filter((site) => !serves(site))
    if (++refusals > REFUSED_MAX) {
      log.error('a batch of rows was refused for good and is dropped', { rows, reason: reasonOf(error) })
      drop(rows)
      end()
    } else if (note.begun && gone.length > 0) {
      // Different bytes need a different number.
      note.sequence++
      note.begun.without.push(...gone)
      await save()
    } else throw error
  }

  /** Sends what is due. Returns true if more is waiting than fitted in the batch. */
  async function once(): Promise<boolean> {
    if (!note.begun) {
      const waiting = await spool.waiting(note.place)
      // An empty spool is read as well: that advances `until`, which charts wait for.
      if (waiting > 0 && !pace.isDue(waiting)) return false
      if (!(await begin())) return false
    }
    const isMore = await send()
    if (!isMore && !note.begun) pace.sent()
    return isMore
  }

  return {
    place: () => note.place,
    droppedRows: () => droppedRows,
    until: () => until,
    dropped: drop,
    skip(ino) {
      if (note.begun?.place.ino === ino) note.begun = undefined
      const from = note.place?.ino === ino ? note.place.offset : 0
      // The inode of a removed file may be reused for the next one.
      if (note.place?.ino === ino) note.place = undefined
      return from
    },
    async run(signal) {
      if (note.place) await spool.removeBefore(note.place)
      const waits = backoff(500, 30_000)
      while (!signal.aborted) {
        try {
          const isMore = await once()
          waits.succeeded()
          if (!isMore) await pace.wait(signal)
        } catch (error) {
          log.warn('cannot upload rows', { reason: reasonOf(error) })
          await pause(waits.failed() + (error instanceof Refused ? error.retryAfterMs : 0), signal)
        }
      }
    },
  }
}

function tryJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    return undefined
  }
}
