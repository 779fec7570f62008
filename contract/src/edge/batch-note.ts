/**
 * A node's summary of a batch of lines, appended to the batch: its sites, number of rows and time range. With it, the
 * control plane stores a batch without unpacking it. It is a skippable frame of zstd (RFC 8878, 3.1.2), which every
 * reader ignores, so older control planes accept the same bytes. Its claims are bounds: rows beyond them are not
 * stored.
 */
import { z } from 'zod'
import { batchBytesMax } from './events.ts'
import { rowMark } from './row-lines.ts'

export const BatchNote = z.object({
  rows: z.number().int().positive().max(200_000),
  /** Unpacked size. */
  bytes: z.number().int().positive().max(batchBytesMax),
  /** Epoch seconds of the oldest and the newest row, without fractions. */
  from: z.number().int().positive(),
  to: z.number().int().positive(),
  /** What the lines begin with; absent from the first nodes that wrote lines. */
  mark: z.enum(['v2', rowMark]).optional(),
  sites: z.array(z.number().int().positive()).min(1),
})
export type BatchNote = z.output<typeof BatchNote>

const magic = 0x184d2a5b
const headBytes = 8
const tailBytes = 4

/**
 * The frame of a note: its header, the note as JSON, and the JSON's length once more, so that it can be found from the
 * end.
 */
export function noteFrame(note: BatchNote): Uint8Array {
  const text = Buffer.from(JSON.stringify(note))
  const frame = Buffer.alloc(headBytes + text.length + tailBytes)
  frame.writeUInt32LE(magic, 0)
  frame.writeUInt32LE(text.length + tailBytes, 4)
  text.copy(frame, headBytes)
  frame.writeUInt32LE(text.length, headBytes + text.length)
  return frame
}

/** The note at the end of a batch packed with zstd; undefined if there is none, or none that can be read. */
export function readNote(packed: Buffer): BatchNote | undefined {
  const end = packed.length - tailBytes
  if (end < headBytes) return undefined
  const length = packed.readUInt32LE(end)
  const start = end - length - headBytes
  if (start < 0 || packed.readUInt32LE(start) !== magic) return undefined
  if (packed.readUInt32LE(start + 4) !== length + tailBytes) return undefined
  try {
    return BatchNote.safeParse(JSON.parse(packed.toString('utf8', start + headBytes, end))).data
  } catch {
    return undefined
  }
}
