/** Decompresses what a node sends, up to the maximum size of a batch. */
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gunzip, zstdDecompress } from 'node:zlib'
import { batchBytesMax } from '@breakwater/contract/edge/events.ts'
import { Fault } from '../http/fault.ts'

export type BatchEncoding = 'zstd' | 'gzip' | ''

const unpackers = { zstd: promisify(zstdDecompress), gzip: promisify(gunzip) }

const tooLarge = () =>
  new Fault('charactersExceedLimit', [{ field: 'body', reason: 'charactersExceedLimit' }], { status: 413 })
const unreadable = () => new Fault('parameterError', [{ field: 'body', reason: 'wrongFormat' }])

/** A thread handles one chunk at a time. */
const chunkSize = 256 * 1024

/** A batch as it was sent. Throws 413 if it is already too large. */
export async function receiveBatch(body: Readable | Buffer): Promise<Buffer> {
  const packed = Buffer.isBuffer(body) ? body : await collect(body)
  if (packed.length > batchBytesMax) throw tooLarge()
  return packed
}

/** The decompressed bytes of a batch. Throws 413 if they are too large, and 400 if they cannot be decompressed. */
export async function unpackBatch(encoding: BatchEncoding, packed: Buffer): Promise<Buffer> {
  if (encoding === '') return packed
  try {
    return await unpackers[encoding](packed, { maxOutputLength: batchBytesMax, chunkSize })
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : unreadable()
  }
}

async function collect(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > batchBytesMax) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
