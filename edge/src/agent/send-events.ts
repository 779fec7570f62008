/** One batch of events on its way: compressed, with its identity in the headers. */
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { type BatchNote, noteFrame } from '@breakwater/contract/edge/batch-note.ts'
import { type EventBatch, EventReceipt, eventHeaders } from '@breakwater/contract/edge/events.ts'
import { rowLinesType } from '@breakwater/contract/edge/row-lines.ts'
import type { ControlPlane } from './control-plane.ts'

const compress = promisify(zstdCompress)
/** Each piece is a turn of a thread. */
const packing = { chunkSize: 256 * 1024, params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * Sends the batch's bytes. The processor's quickest compression: most of what the slower ones save is repeated text that
 * this one finds, too. Resolves when it is stored, now or before; throws `Refused` with `final`
 * where it never will be. With a note of what is in it the control plane need not look.
 */
export async function sendEvents(
  plane: ControlPlane,
  batch: EventBatch,
  bytes: Uint8Array,
  note?: BatchNote,
): Promise<void> {
  const headers = {
    'content-type': batch.form === 'lines' ? rowLinesType : 'application/x-ndjson',
    'content-encoding': 'zstd',
    [eventHeaders.kind]: batch.kind,
    [eventHeaders.boot]: batch.boot,
    [eventHeaders.sequence]: String(batch.sequence),
    [eventHeaders.rows]: String(batch.rows),
  }
  const packed = await compress(bytes, packing)
  await plane.send('/events', note ? Buffer.concat([packed, noteFrame(note)]) : packed, headers, EventReceipt)
}
