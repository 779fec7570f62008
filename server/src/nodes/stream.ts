/** The open stream that only wakes a node. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { WakeStream } from './connections.ts'
import type { NodeApiParts } from './node-api-parts.ts'
import { withNode } from './node-identity.ts'

/** Holds the reply open until the node goes away, is revoked, or opens another. */
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
  // The node reads feed and tasks once it sees this: from here on nothing that is published escapes it.
  stream.write('beat')
}
