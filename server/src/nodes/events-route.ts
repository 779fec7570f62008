/** Receives a batch of events: its identity is in headers, its bytes are streamed. */
import { type Readable, Transform } from 'node:stream'
import { batchBytesMax, EventBatch, eventHeaders } from '@breakwater/contract/edge/events.ts'
import { rowLinesType } from '@breakwater/contract/edge/row-lines.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { BatchEncoding } from '../events/unpack.ts'
import { Fault } from '../http/fault.ts'
import { parse } from '../http/parse.ts'
import type { NodeApiParts } from './node-api-parts.ts'
import { withNode } from './node-identity.ts'

function encodingOf(request: FastifyRequest): BatchEncoding {
  const encoding = request.headers['content-encoding'] ?? ''
  if (encoding === 'zstd' || encoding === 'gzip' || encoding === '') return encoding
  throw new Fault('parameterError', [{ field: 'content-encoding', reason: 'wrongFormat' }], { status: 415 })
}

const tooLong = () =>
  new Fault('charactersExceedLimit', [{ field: 'body', reason: 'charactersExceedLimit' }], { status: 413 })

/** Passes bytes through, up to the limit of a batch; compressed bytes are never more than uncompressed ones. */
function bounded(body: Readable): Readable {
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > batchBytesMax) done(tooLong())
      else done(null, chunk)
    },
  })
  body.once('error', (error) => meter.destroy(error))
  body.once('aborted', () => meter.destroy(new Error('the node went away')))
  return body.pipe(meter)
}

function batchOf(request: FastifyRequest): EventBatch {
  const header = (name: string) => request.headers[name]
  const wholeNumber = (name: string) => (/^\d{1,15}$/.test(String(header(name))) ? Number(header(name)) : undefined)
  return parse(
    EventBatch,
    {
      kind: header(eventHeaders.kind),
      boot: header(eventHeaders.boot),
      sequence: wholeNumber(eventHeaders.sequence),
      rows: wholeNumber(eventHeaders.rows),
      form: header('content-type') === rowLinesType ? 'lines' : undefined,
    },
    'headers',
  )
}

export function eventsRoute(app: FastifyInstance, parts: NodeApiParts): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.post('/events', async (request, reply) => {
    const { id, zoneId, groupId } = await withNode(parts, request, async (_db, node) => node)
    if (groupId === null) throw new Fault('permissionDenied')
    if (Number(request.headers['content-length'] ?? 0) > batchBytesMax) throw tooLong()
    const body = request.body as Readable
    try {
      const sender = { nodeId: id, zoneId, groupId }
      const receipt = await parts.ingest(sender, batchOf(request), encodingOf(request), bounded(body))
      parts.metrics.eventBatches += 1
      return receipt
    } finally {
      // The rest of an unread body must not be parsed as the connection's next request.
      if (!body.readableEnded) reply.header('connection', 'close')
    }
  })
}
