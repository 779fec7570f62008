/**
 * Ships exact counters: never sampled, never dropped. A closed minute becomes a batch in a file of its own, which stays
 * until the control plane has it. The note that moves on in nginx's log is written after that file: a killed agent
 * finds either both or neither, and reads the same lines again.
 */
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CounterRow } from '@breakwater/contract/edge/events.ts'
import { type ControlPlane, Refused } from './control-plane.ts'
import { type CounterNote, readCounterNote, writeCounterNote } from './counter-note.ts'
import { addLines, type Sums, sumRows, takeClosed } from './counters.ts'
import { writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { backoff, pause } from './retry.ts'
import { countRows, ownRows, sitesIn, split } from './rows.ts'
import type { SegmentedLog } from './segments.ts'
import { sendEvents } from './send-events.ts'

const READ_BYTES = 4_000_000
const ROTATE_BYTES = 8_000_000
const BATCH_ROWS = 20_000
const TICK_MS = 1000

export type CounterShipper = { run(signal: AbortSignal): Promise<void> }

export async function openCounterShipper(
  layout: Layout,
  plane: ControlPlane,
  node: number,
  counters: SegmentedLog,
  serves: (site: number) => boolean,
  now = () => Date.now() / 1000,
): Promise<CounterShipper> {
  const folder = join(layout.own, 'counters')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fileOf = (sequence: number) => join(folder, `${sequence}.ndjson`)
  let note: CounterNote
  let sums: Sums
  await load()

  /** Goes back to what is on disk: at the start, and where a step could not be written to its end. */
  async function load() {
    note = await readCounterNote(layout)
    sums = sumRows(note.open)
    // Written without its note: those minutes are summed again from the same lines.
    for (const sequence of await batches()) if (sequence > note.sequence) await rm(fileOf(sequence))
  }

  async function batches(): Promise<number[]> {
    const names = (await readdir(folder)).filter((name) => /^\d+\.ndjson$/.test(name))
    return names.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b)
  }

  /** Reads what nginx has added, and closes minutes. */
  async function collect() {
    const from = note.place
    for (;;) {
      const { lines, place } = await counters.next(note.place, READ_BYTES, Number.MAX_SAFE_INTEGER)
      note.place = lines ? { ino: lines.place.ino, offset: lines.end } : place
      if (!lines) break
      const own = ownRows(lines.bytes, node)
      const bad = own.torn + addLines(sums, own.bytes)
      if (bad > 0) log.warn('lines of the counters are unreadable', { lines: bad })
    }
    const closed = takeClosed(sums, now())
    for (let at = 0; at < closed.length; at += BATCH_ROWS) await keep(closed.slice(at, at + BATCH_ROWS))
    if (closed.length === 0 && note.place?.ino === from?.ino) return
    note.open = [...sums.values()]
    await writeCounterNote(layout, note)
    if (note.place) await counters.removeBefore(note.place)
  }

  async function keep(rows: readonly CounterRow[]) {
    note.sequence++
    // Whole minutes, as far as this machine's clock is known to be wrong.
    const moved = 60 * Math.round((plane.clockOffset() ?? 0) / 60)
    const lines = rows.map((row) => `${JSON.stringify({ ...row, minute: row.minute + moved })}\n`)
    await writeDurably(fileOf(note.sequence), lines.join(''), layout.private)
  }

  async function shipAll() {
    for (const sequence of await batches()) {
      const body = await readFile(fileOf(sequence))
      const rows = countRows(body)
      try {
        if (rows > 0) await sendEvents(plane, { kind: 'counters', boot: note.boot, sequence, rows }, body)
        await rm(fileOf(sequence))
      } catch (error) {
        if (!(error instanceof Refused && error.final)) throw error
        await setAside(error, fileOf(sequence), body)
      }
    }
  }

  /**
   * Rows of sites that left this node are refused with their batch. They are set aside, and the batch is sent again
   * without them under its number: what was refused was not stored.
   */
  async function setAside(error: Refused, path: string, body: Buffer) {
    const gone = new Set([...sitesIn(body)].filter((site) => !serves(site)))
    if (gone.size === 0) throw error
    const file = 'counters-refused.ndjson'
    log.error('counters of sites that left this node were refused; they are kept', { sites: [...gone], file })
    const { of, others } = split(body, gone)
    await appendFile(join(layout.own, file), of, { mode: 0o600, flush: true })
    await writeDurably(path, others, layout.private)
  }

  async function tick(waits: ReturnType<typeof backoff>): Promise<number> {
    try {
      await shipAll()
      waits.succeeded()
      return 0
    } catch (error) {
      log.warn('cannot ship counters', { reason: reasonOf(error) })
      return waits.failed() + (error instanceof Refused ? error.retryAfterMs : 0)
    }
  }

  return {
    async run(signal) {
      const waits = backoff(500, 30_000)
      let shipAt = 0
      if (note.place) await counters.removeBefore(note.place)
      while (!signal.aborted) {
        try {
          await counters.rotate(ROTATE_BYTES)
          await collect()
        } catch (error) {
          log.error('cannot collect counters', { reason: reasonOf(error) })
          await load().catch(() => {})
        }
        if (Date.now() >= shipAt) shipAt = Date.now() + (await tick(waits))
        await pause(TICK_MS, signal)
      }
    },
  }
}
