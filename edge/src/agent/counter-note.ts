/** Where the agent is in the log of counters, and the sums of what it has read and not told yet: `agent/counters.json`. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { CounterRow } from '@breakwater/contract/edge/events.ts'
import { z } from 'zod'
import { readIfThere, writeDurably } from './files.ts'
import type { Layout } from './layout.ts'

const Note = z.object({
  boot: z.string(),
  /** The number of the last batch that is a file. */
  sequence: z.number().int(),
  place: z.object({ ino: z.number(), offset: z.number() }).optional(),
  open: z.array(CounterRow),
})
export type CounterNote = z.output<typeof Note>

const pathOf = (layout: Layout) => join(layout.own, 'counters.json')

/** The note on disk, or a first one, written at once: its boot is part of every batch's identity. */
export async function readCounterNote(layout: Layout): Promise<CounterNote> {
  const text = await readIfThere(pathOf(layout))
  if (text) return Note.parse(JSON.parse(text.toString('utf8')))
  const note: CounterNote = { boot: randomBytes(8).toString('hex'), sequence: 0, open: [] }
  await writeCounterNote(layout, note)
  return note
}

export async function writeCounterNote(layout: Layout, note: CounterNote): Promise<void> {
  await writeDurably(pathOf(layout), JSON.stringify(note), layout.private)
}
