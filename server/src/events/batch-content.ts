/** A batch from a node: its bytes, and a summary of its content, either scanned here or declared by the node. */
import type { Readable } from 'node:stream'
import { readNote } from '@breakwater/contract/edge/batch-note.ts'
import type { EventBatch } from '@breakwater/contract/edge/events.ts'
import { type BatchScan, scanBatch, scanLines, scanOfNote } from './scan-batch.ts'
import { type BatchEncoding, receiveBatch, unpackBatch } from './unpack.ts'

/**
 * `isPacked`: still compressed with zstd, which the engine also reads, and not scanned. `plainBytes` is the
 * uncompressed size.
 */
export type Content = { bytes: Buffer; isPacked: boolean; plainBytes: number; scan: BatchScan }

/**
 * Receives a batch. Lines with a note (contract: `batch-note.ts`) stay compressed; all others are decompressed and
 * scanned.
 */
export async function receiveContent(
  batch: EventBatch,
  encoding: BatchEncoding,
  body: Readable | Buffer,
): Promise<Content> {
  const sent = await receiveBatch(body)
  const note = batch.form === 'lines' && encoding === 'zstd' ? readNote(sent) : undefined
  if (note) return { bytes: sent, isPacked: true, plainBytes: note.bytes, scan: scanOfNote(note) }
  return plainContent(batch, await unpackBatch(encoding, sent))
}

/** The same batch, decompressed and scanned. */
export const unpackContent = async (batch: EventBatch, { bytes }: Content): Promise<Content> =>
  plainContent(batch, await unpackBatch('zstd', bytes))

function plainContent({ form, kind }: EventBatch, bytes: Buffer): Content {
  const scan = form === 'lines' ? scanLines(bytes) : scanBatch(bytes, kind === 'requests' ? 'time' : 'minute')
  return { bytes, isPacked: false, plainBytes: bytes.length, scan }
}
