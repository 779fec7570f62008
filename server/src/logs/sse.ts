/** Server-sent events over a reply that is hijacked from the framework. */
import type { FastifyReply, FastifyRequest } from 'fastify'

export type EventStream = { send(event: string, data: unknown): void; end(): void }

const heartbeatMs = 15_000
/** Bytes that a slow reader may leave unread before it is disconnected. */
const unreadBytesMax = 1_000_000

/** Opens a stream. `onClose` is called once, whichever side ends it. */
export function openEventStream(request: FastifyRequest, reply: FastifyReply, onClose: () => void): EventStream {
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // The connection serves only the stream, and ends with it.
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
  // A server that is closing waits for its connections: a stream would delay it for as long as it lasts.
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
