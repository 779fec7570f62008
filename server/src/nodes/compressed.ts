/** Replies to nodes that take them compressed: ten thousand pointers are mostly the same words. */
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(zstdCompress)
/** A thousand nodes ask at once: the level that costs a node API the least. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/** Shorter ones fit into one or two packets as they are. */
const leastLength = 2048

/** A hook before a reply is sent: the text, or the same as zstd. */
export async function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const taken = String(request.headers['accept-encoding'] ?? '')
  if (typeof payload !== 'string' || payload.length < leastLength || !/\bzstd\b/.test(taken)) return payload
  reply.header('content-encoding', 'zstd')
  return compress(payload, options)
}
