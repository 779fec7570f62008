/** The agent's position in the counter log, and the sums it has read but not uploaded yet: `agent/counters.json`. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { CounterRow } from '@breakwater/contract/edge/events.ts'
import { z } from 'zod'
import { readIfThere, writeDurably } from './files.ts'
import type { Layout } from './layout.ts'

const Note = z.object({
  boot: z.string(),
  /** The number of the last batch written to a file. */
  sequence: z.number().int(),
  place: z.object({ ino: z.number(), offset: z.number() }).optional(),
  open: z.array(CounterRow),
})
export type CounterNote = z.output<typeof Note>

const pathOf = (layout: Layout) => join(layout.own, 'counters.json')

/** The note on disk, or a new one, written at once because its boot ID is part of every batch's identity. */
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
