/** One batch of events on its way: compressed, with its identity in the headers. */
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { type EventBatch, EventReceipt, eventHeaders } from '@breakwater/contract/edge/events.ts'
import type { ControlPlane } from './control-plane.ts'

const compress = promisify(zstdCompress)

/** Sends NDJSON. Resolves when it is stored, now or before; throws `Refused` with `final` where it never will be. */
export async function sendEvents(plane: ControlPlane, batch: EventBatch, ndjson: Uint8Array): Promise<void> {
  const headers = {
    'content-type': 'application/x-ndjson',
    'content-encoding': 'zstd',
    [eventHeaders.kind]: batch.kind,
    [eventHeaders.boot]: batch.boot,
    [eventHeaders.sequence]: String(batch.sequence),
    [eventHeaders.rows]: String(batch.rows),
  }
  await plane.send('/events', await compress(ndjson), headers, EventReceipt)
}
