/** Compresses replies to nodes that accept it: ten thousand pointers are mostly repeated text. */
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(zstdCompress)
/** A thousand nodes may ask at once: the level with the least CPU for the node API. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Shorter replies fit into one or two packets uncompressed. */
const leastLength = 2048

/** An `onSend` hook: returns the text as it is, or compressed with zstd. */
export async function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const taken = String(request.headers['accept-encoding'] ?? '')
  if (typeof payload !== 'string' || payload.length < leastLength || !/\bzstd\b/.test(taken)) return payload
  reply.header('content-encoding', 'zstd')
  return compress(payload, options)
}
