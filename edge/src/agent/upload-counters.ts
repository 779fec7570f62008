/**
 * Uploads exact counters: never sampled, never dropped. The sums of a few seconds become a batch in its own file, which
 * stays until the control plane has it. The note with the position in nginx's log is written after that file: a killed
 * agent finds either both or neither, and reads the same lines again.
 */
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CounterRow } from '@breakwater/contract/edge/events.ts'
import type { EdgeTotals } from '@breakwater/contract/edge/metrics.ts'
import { type ControlPlane, Refused } from './control-plane.ts'
import { type CounterNote, readCounterNote, writeCounterNote } from './counter-note.ts'
import { addLines, type Sums, sumRows, takeAll } from './counters.ts'
import { writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { backoff, everySecond, pause } from './retry.ts'
import { countRows, ownRows, sitesIn, split } from './rows.ts'
import type { SegmentedLog } from './segments.ts'
import { sendEvents } from './send-events.ts'
import { type Lookers, STEADY_REQUESTS, TAKE_MS, TAKE_STEADY_MS } from './upload-pace.ts'

const READ_BYTES = 4_000_000
const ROTATE_BYTES = 8_000_000
const BATCH_ROWS = 20_000
/** How often sums become a batch while somebody watches: charts and cards lag the traffic by little more. */
const TAKE_LOOKED_MS = 4000
/** The same while batches wait for the control plane, so that an outage makes one batch per minute at most. */
const TAKE_BEHIND_MS = 60_000
/** After this long without a reply of the control plane, this machine's clock is assumed to be right. */
const CLOCK_WAIT_MS = 60_000
/** The delay of nginx's counters: it writes its sums once a second. */
const UNWRITTEN_SECONDS = 1.5

export type CounterUpload = {
  run(signal: AbortSignal): Promise<void>
  /** Epoch seconds, by the control plane's clock, up to which all is uploaded; undefined before the first upload. */
  until(): number | undefined
}

export async function openCounterUpload(
  layout: Layout,
  plane: ControlPlane,
  node: number,
  counters: SegmentedLog,
  looking: Lookers,
  serves: (site: number) => boolean,
  totals: EdgeTotals,
  now = () => Date.now() / 1000,
): Promise<CounterUpload> {
  const folder = join(layout.own, 'counters')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const fileOf = (sequence: number) => join(folder, `${sequence}.ndjson`)
  let note: CounterNote
  let sums: Sums
  /** The batches in files, oldest first. */
  let kept: number[] = []
  let tookAt = 0
  let isBehind = false
  let isSteady = false
  const trustClockAt = Date.now() + CLOCK_WAIT_MS
  /** Up to when all counters are in batches, and up to when they are uploaded. */
  let taken: number | undefined
  let until: number | undefined
  await load()

  /** Reverts to the state on disk: at the start, and after a step that could not be written completely. */
  async function load() {
    note = await readCounterNote(layout)
    sums = sumRows(note.open)
    // Written before its note: its lines are summed again.
    const names = (await readdir(folder)).filter((name) => /^\d+\.ndjson$/.test(name))
    kept = names.map((name) => Number.parseInt(name, 10)).sort((a, b) => a - b)
    while (kept.length > 0 && kept.at(-1)! > note.sequence) await rm(fileOf(kept.pop()!))
  }

  function takesEveryMs(): number {
    if (isBehind) return TAKE_BEHIND_MS
    if (looking.look()) return TAKE_LOOKED_MS
    return isSteady ? TAKE_STEADY_MS : TAKE_MS
  }

  /** Reads what nginx has appended, and makes batches of it when due. */
  async function collect() {
    const from = note.place
    const asked = now()
    for (;;) {
      const { lines, place } = await counters.next(note.place, READ_BYTES, Number.MAX_SAFE_INTEGER)
      note.place = lines ? { ino: lines.place.ino, offset: lines.end } : place
      if (!lines) break
      const own = ownRows(lines.bytes, node)
      const bad = own.torn + addLines(sums, own.bytes)
      if (bad > 0) log.warn('lines of the counters are unreadable', { lines: bad })
    }
    const offset = plane.clockOffset() ?? (Date.now() >= trustClockAt ? 0 : undefined)
    // Whoever begins to watch gets the sums so far, without waiting for the next turn.
    const isAsked = !isBehind && looking.began() > tookAt
    const isTime = offset !== undefined && (isAsked || Date.now() >= tookAt + takesEveryMs())
    const rows = isTime ? takeAll(sums) : []
    for (let at = 0; at < rows.length; at += BATCH_ROWS) await keep(rows.slice(at, at + BATCH_ROWS), offset ?? 0)
    if (rows.length > 0) {
      tookAt = Date.now()
      isSteady = rows.reduce((sum, { requests }) => sum + requests, 0) >= STEADY_REQUESTS
    }
    if (rows.length > 0 || note.place?.ino !== from?.ino) {
      note.open = [...sums.values()]
      await writeCounterNote(layout, note)
      if (note.place) await counters.removeBefore(note.place)
    }
    if (isTime) taken = asked + offset - UNWRITTEN_SECONDS
  }

  async function keep(rows: readonly CounterRow[], offset: number) {
    note.sequence++
    // Shifted by whole minutes, by how far this machine's clock is known to be off.
    const moved = 60 * Math.round(offset / 60)
    const lines = rows.map((row) => `${JSON.stringify({ ...row, minute: row.minute + moved })}\n`)
    await writeDurably(fileOf(note.sequence), lines.join(''), layout.private)
    kept.push(note.sequence)
    for (const row of rows) totals.add(row)
  }

  async function uploadAll() {
    for (let sequence = kept[0]; sequence !== undefined; sequence = kept[0]) {
      const body = await readFile(fileOf(sequence))
      const rows = countRows(body)
      try {
        if (rows > 0) await sendEvents(plane, { kind: 'counters', boot: note.boot, sequence, rows }, body)
        await rm(fileOf(sequence))
        kept.shift()
      } catch (error) {
        if (!(error instanceof Refused && error.final)) throw error
        await setAside(error, fileOf(sequence), body)
      }
    }
  }

  /**
   * A batch with rows of sites that left this node is refused. They are set aside, and the batch is sent again without
   * them under the same number: a refused batch was not stored.
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
    const reached = taken
    try {
      await uploadAll()
      isBehind = false
      until = reached
      waits.succeeded()
      return 0
    } catch (error) {
      isBehind = true
      log.warn('cannot upload counters', { reason: reasonOf(error) })
      return waits.failed() + (error instanceof Refused ? error.retryAfterMs : 0)
    }
  }

  return {
    until: () => until,
    async run(signal) {
      const waits = backoff(500, 30_000)
      let uploadAt = 0
      if (note.place) await counters.removeBefore(note.place)
      while (!signal.aborted) {
        try {
          await counters.rotate(ROTATE_BYTES)
          await collect()
        } catch (error) {
          log.error('cannot collect counters', { reason: reasonOf(error) })
          await load().catch(() => {})
        }
        if (Date.now() >= uploadAt) uploadAt = Date.now() + (await tick(waits))
        await pause(everySecond, signal)
      }
    },
  }
}
