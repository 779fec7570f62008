/** The open stream that does nothing but wake a node. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { WakeStream } from './connections.ts'
import type { NodeApiParts } from './node-api-parts.ts'
import { withNode } from './node-identity.ts'

/** Holds the reply open until the node disconnects, is revoked, or opens another stream. */
export async function openStream(parts: NodeApiParts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { connections, metrics } = parts
  const node = await withNode(parts, request, async (_db, found) => found)
  reply.hijack()
  const response = reply.raw
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
  const stream = new WakeStream(node.id, node.groupId, response)
  connections.addStream(stream)
  metrics.openStreams = connections.streamCount
  response.once('close', () => {
    connections.removeStream(stream)
    metrics.openStreams = connections.streamCount
  })
  // The node reads feed and tasks once it sees this: from here on it misses nothing that is published.
  stream.write('beat')
}
