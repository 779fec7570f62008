/** Server-sent events over a reply that is taken out of the framework's hands. */
import type { FastifyReply, FastifyRequest } from 'fastify'

export type EventStream = { send(event: string, data: unknown): void; end(): void }

const heartbeatMs = 15_000
/** What a slow reader may leave unread before it is cut off. */
const unreadBytesMax = 1_000_000

/** Opens a stream. `onClose` is called once, whoever ends it. */
export function openEventStream(request: FastifyRequest, reply: FastifyReply, onClose: () => void): EventStream {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // The connection is the stream's alone, and ends with it.
    connection: 'close',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': request.id,
  })
  const write = (text: string) => {
    if (raw.writableEnded || raw.destroyed) return
    raw.write(text)
    if (raw.writableLength > unreadBytesMax) raw.destroy()
  }
  write(': open\n\n')
  const heartbeat = setInterval(() => write(': beat\n\n'), heartbeatMs)
  // A server that closes waits for its connections: a stream would hold it up for as long as it lasts.
  const { server } = request.server
  const wasListening = server.listening
  const watch = setInterval(() => wasListening && !server.listening && raw.end(), 500)
  raw.once('close', () => {
    clearInterval(heartbeat)
    clearInterval(watch)
    onClose()
  })
  return {
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => raw.end(),
  }
}
