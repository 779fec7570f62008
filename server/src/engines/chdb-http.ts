import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { describeError, StatementError } from './chdb-error.ts'
import { readInputInsert, readStatement } from './chdb-statement.ts'
import type { Answer } from './chdb-store.ts'

type Store = { run(statement: ReturnType<typeof readStatement>): Promise<Answer> }
type Limits = { user: string; password: string; bodyMaxBytes: number; bodiesMaxBytes: number }

/** Statements and parameters are sent in the URL; this is ClickHouse's own limit for it. */
const ADDRESS_MAX_BYTES = 1 << 20

/** ClickHouse's HTTP interface on top of a store, as far as its clients use it. */
export function makeClickHouseServer(store: Store, limits: Limits): Server {
  const bodies = { heldBytes: 0 }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/ping') return void response.end('Ok.\n')
    const queryId = url.searchParams.get('query_id') || randomUUID()
    response.setHeader('x-clickhouse-query-id', queryId)
    requirePassword(request, limits)
    if (url.searchParams.has('session_id')) {
      throw new StatementError(48, 'NOT_IMPLEMENTED', 'The embedded engine keeps no sessions between requests.')
    }
    if (header(request, 'content-type')?.startsWith('multipart/')) {
      throw new StatementError(48, 'NOT_IMPLEMENTED', 'Parameters travel in the address, not as a form.')
    }
    // The engine reads the rows in the form in which they were sent.
    const isFed = readInputInsert(url.searchParams.get('query') ?? '') !== undefined
    const isPacked = isFed && header(request, 'content-encoding') === 'zstd'
    const body = await readBody(request, limits, bodies, isPacked)
    const startedMs = performance.now()
    try {
      const statement = readStatement(url.searchParams, body, header(request, 'x-clickhouse-format'))
      statement.database ??= header(request, 'x-clickhouse-database')
      if (isPacked) statement.packing = 'zstd'
      const { bytes, summary } = await store.run(statement)
      const elapsed_ns = String(Math.round((performance.now() - startedMs) * 1e6))
      response.setHeader('x-clickhouse-summary', JSON.stringify({ ...summary, elapsed_ns }))
      response.setHeader('x-clickhouse-format', statement.format)
      response.end(bytes)
    } finally {
      bodies.heldBytes -= body.length
    }
  }

  return createServer(
    { requestTimeout: 0, keepAliveTimeout: 60_000, maxHeaderSize: ADDRESS_MAX_BYTES },
    (request, response) => {
      answer(request, response).catch((error: unknown) => {
        const { status, code, text } = describeError(error)
        // The rest of a rejected body is not read: the connection is closed after the response.
        if (!request.complete) response.setHeader('connection', 'close')
        response.writeHead(status, { 'x-clickhouse-exception-code': code, 'content-type': 'text/plain; charset=UTF-8' })
        response.end(text)
      })
    },
  )
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

function requirePassword(request: IncomingMessage, limits: Limits) {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const given = basic
    ? Buffer.from(basic, 'base64').toString()
    : `${header(request, 'x-clickhouse-user') ?? ''}:${header(request, 'x-clickhouse-key') ?? ''}`
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(given), digest(`${limits.user}:${limits.password}`))) {
    throw new StatementError(516, 'AUTHENTICATION_FAILED', 'Authentication failed: password is incorrect.')
  }
}

/**
 * Reads the whole body, decompressed unless it should stay compressed, within the memory limits of one request and of
 * all requests together.
 */
async function readBody(
  request: IncomingMessage,
  limits: Limits,
  bodies: { heldBytes: number },
  staysPacked: boolean,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  async function collect(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      sizeBytes += chunk.length
      bodies.heldBytes += chunk.length
      if (sizeBytes > limits.bodyMaxBytes)
        throw new StatementError(223, 'QUERY_IS_TOO_LARGE', 'The request body is too large.')
      if (bodies.heldBytes > limits.bodiesMaxBytes) {
        throw new StatementError(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many bytes wait to be inserted.')
      }
      chunks.push(chunk)
    }
  }
  try {
    const encoding = request.headers['content-encoding']
    if (staysPacked) await collect(request)
    else if (encoding === 'gzip') await pipeline(request, createGunzip(), collect)
    else if (encoding === 'zstd') await pipeline(request, createZstdDecompress(), collect)
    else if (!encoding || encoding === 'identity') await collect(request)
    else throw new StatementError(48, 'NOT_IMPLEMENTED', `Content encoding ${encoding} is not understood.`)
  } catch (error) {
    bodies.heldBytes -= sizeBytes
    const isPacking = (error as NodeJS.ErrnoException).code?.startsWith('Z')
    throw isPacking ? new StatementError(354, 'ZLIB_INFLATE_FAILED', `Cannot unpack the body: ${error}`) : error
  }
  return Buffer.concat(chunks)
}
