/**
 * The HTTP application without its features: limits, request ids, logs, and errors, which are always a JSON body from
 * the catalogue. URLs that are not calls are handled by `system/pages.ts`.
 */
import { randomUUID } from 'node:crypto'
import fastify, { type FastifyError, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { errorBody, Fault } from './fault.ts'
import { askedLanguage } from './message.ts'
import { childOnUse, linesOfCalls } from './request-log.ts'

/** The largest body of an ordinary call, in bytes, and the maximum nesting of JSON (ASVS 1.5.2). */
const bodyBytesMax = 1_048_576
const jsonDepthMax = 20

/** `trustedProxies` (CIDRs): X-Forwarded-For, -Proto and -Host are trusted only from these. */
export function makeApp(logger: Logger, trustedProxies: readonly string[] = []): FastifyInstance {
  const app = fastify({
    loggerInstance: logger,
    bodyLimit: bodyBytesMax,
    genReqId: () => randomUUID(),
    childLoggerFactory: childOnUse,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
    requestTimeout: 300_000,
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    // A call that arrives while this process shuts down is still answered; the framework's own error is not from the
    // catalogue.
    return503OnClosing: false,
  }) as unknown as FastifyInstance
  app.removeContentTypeParser('text/plain')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, parseJson(text as string))
    } catch {
      done(new Fault('parameterError', [{ field: 'body', reason: 'wrongFormat' }]), undefined)
    }
  })
  // These hooks run for every call. They use callbacks, since a promise for each would cost a tenth of a small call.
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  const tell = linesOfCalls(logger)
  app.addHook('onResponse', (request, reply, done) => {
    // Never log the query string: it may contain switch-user and mail tokens.
    const path = request.url.split('?', 1)[0]
    const said = { reqId: request.id, method: request.method, path: path ?? '' }
    tell({ ...said, status: reply.statusCode, took: Math.round(reply.elapsedTime) })
    done()
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const isOurs = error instanceof Fault
    const fault = isOurs ? error : faultOf(error)
    // Errors that were turned into a fault of the catalogue on the way are only logged here.
    if ((fault.status >= 500 && (!isOurs || fault.reason === 'unknownError')) || isUnforeseenValue(error))
      request.log.error({ err: error }, 'unhandled')
    if (fault.retryAfterSeconds !== undefined) reply.header('retry-after', fault.retryAfterSeconds)
    reply.code(fault.status).send(errorBody(fault, request.id, askedLanguage(request.headers['accept-language'])))
  })
  return app
}

/** Parses JSON without prototype pollution, and no deeper than a person would write it. */
function parseJson(text: string): unknown {
  if (text === '') return undefined
  // A reviver takes six times as long as parsing: it is used only if the key may occur, literally or with escapes.
  const value: unknown = /__proto__|\\u/.test(text) ? JSON.parse(text, refuseProto) : JSON.parse(text)
  if (depthOf(value, 0) > jsonDepthMax) throw new SyntaxError('too deep')
  return value
}

function refuseProto(key: string, part: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError('__proto__')
  return part
}

function depthOf(value: unknown, depth: number): number {
  if (value === null || typeof value !== 'object' || depth > jsonDepthMax) return depth
  let deepest = depth
  for (const part of Object.values(value)) deepest = Math.max(deepest, depthOf(part, depth + 1))
  return deepest
}

/**
 * A value that the contract accepted but the database rejects (class 22): the caller's value, but a gap in the
 * contract.
 */
const isUnforeseenValue = (error: { code?: string | undefined }): boolean => /^22[0-9A-Z]{3}$/.test(error.code ?? '')

/** Maps errors of the framework and the database to entries of the catalogue. */
export function faultOf(error: FastifyError & { code?: string; constraint?: string }): Fault {
  if (error.statusCode === 413)
    return new Fault('charactersExceedLimit', [{ field: 'body', reason: 'charactersExceedLimit' }], { status: 413 })
  if (error.statusCode === 415)
    return new Fault('parameterError', [{ field: 'body', reason: 'wrongFormat' }], { status: 415 })
  if (error.statusCode !== undefined && error.statusCode < 500)
    return new Fault('parameterError', [{ field: 'request', reason: 'wrongFormat' }])
  if (isUnforeseenValue(error)) return new Fault('parameterError', [{ field: 'request', reason: 'wrongFormat' }])
  if (error.code === '23505') return new Fault('duplicatedData')
  // A row outside the caller's reach: row-level security refused what no condition did.
  if (error.code === '42501') return new Fault('permissionDenied')
  if (error.code === '57014') return new Fault('databaseError')
  // Nothing was changed, and the same call may succeed later: a conflict, no connection, or a restarting database.
  if (error.code === '40001' || error.code === '40P01') return databaseAway(1)
  if (error.code !== undefined && /^(08|53|57P)/.test(error.code)) return databaseAway()
  if (
    ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes(error.code ?? '') ||
    /timeout exceeded when trying to connect|^Connection terminated|not queryable|^Query read timeout/.test(
      error.message,
    )
  )
    return databaseAway()
  return new Fault('unknownError')
}

/** The seconds that a restart of the database usually takes. */
const databaseRestartSeconds = 2

const databaseAway = (retryAfterSeconds = databaseRestartSeconds) =>
  new Fault('databaseError', undefined, { status: 503, retryAfterSeconds })
