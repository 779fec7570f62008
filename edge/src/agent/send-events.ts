/** One batch of events on its way: compressed, with its identity in the headers. */
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import { type EventBatch, EventReceipt, eventHeaders } from '@breakwater/contract/edge/events.ts'
import { rowLinesType } from '@breakwater/contract/edge/row-lines.ts'
import type { ControlPlane } from './control-plane.ts'

const compress = promisify(zstdCompress)

/**
 * Sends the batch's bytes. The processor's quickest compression: most of what the slower ones save is repeated text that
 * this one finds, too. Resolves when it is stored, now or before; throws `Refused` with `final`
 * where it never will be.
 */
export async function sendEvents(plane: ControlPlane, batch: EventBatch, bytes: Uint8Array): Promise<void> {
  const headers = {
    'content-type': batch.form === 'lines' ? rowLinesType : 'application/x-ndjson',
    'content-encoding': 'zstd',
    [eventHeaders.kind]: batch.kind,
    [eventHeaders.boot]: batch.boot,
    [eventHeaders.sequence]: String(batch.sequence),
    [eventHeaders.rows]: String(batch.rows),
  }
  await plane.send(
    '/events',
    await compress(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
    headers,
    EventReceipt,
  )
}
