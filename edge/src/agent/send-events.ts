/** Sends one batch of events: compressed, with its identity in the headers. */
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { type BatchNote, noteFrame } from '@breakwater/contract/edge/batch-note.ts'
import { type EventBatch, EventReceipt, eventHeaders } from '@breakwater/contract/edge/events.ts'
import { rowLinesType } from '@breakwater/contract/edge/row-lines.ts'
import type { ControlPlane } from './control-plane.ts'

const compress = promisify(zstdCompress)
/** Each chunk costs one switch to a thread. */
const packing = { chunkSize: 256 * 1024, params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/**
 * Sends the batch's bytes with the fastest compression level: most of what slower levels save is repeated text, which
 * this one finds too. Resolves once the batch is stored, now or earlier; throws `Refused` with `final` if it never
 * will be. With a note about its content the control plane need not inspect it.
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
