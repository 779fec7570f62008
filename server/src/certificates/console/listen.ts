/**
 * Serves the console under its own https URL: TLS with a certificate that is replaced at run time, and port 80 for ACME
 * challenges and redirects to HTTPS.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { withSystem } from '../../db/database.ts'
import { drain } from '../../http/drain.ts'
import type { Services } from '../../process/services.ts'
import { type ServedCertificate, watchCertificate } from './served-certificate.ts'

const challenge = /^\/\.well-known\/acme-challenge\/([\w-]+)$/
/** For Strict-Transport-Security (RFC 6797), in seconds: thirty days. */
const strictSeconds = 2_592_000
const plainTimeoutMs = 10_000

type Given = Pick<Services, 'database' | 'vault' | 'logger' | 'env'>

/**
 * Listens in addition to the plain port. Returns undefined if the console has no https URL or a proxy terminates TLS. A
 * port that is unavailable is logged, and the plain port keeps serving. `app` must be ready.
 */
export async function listenWithTls(
  app: FastifyInstance,
  services: Given,
): Promise<{ close: () => Promise<void> } | undefined> {
  const { env, database, logger } = services
  const tls = env.consoleTls
  if (!tls || tls.httpsPort === 0) return undefined
  const terms = { minVersion: 'TLSv1.2' } as const
  const secure = createTlsServer(terms, (request, reply) => {
    reply.setHeader('strict-transport-security', `max-age=${strictSeconds}`)
    app.routing(request, reply)
  })
  const { requestTimeout, headersTimeout, keepAliveTimeout } = app.server
  Object.assign(secure, { requestTimeout, headersTimeout, keepAliveTimeout })
  const served = await watchCertificate(services, tls, (pair) => secure.setSecureContext({ ...terms, ...pair }))
  const plain = createServer({ requestTimeout: plainTimeoutMs }, (request, reply) => {
    answerPlain(request, reply, env.publicUrl, served).catch((error: Error) => {
      logger.error({ err: error }, 'unhandled')
      reply.destroy()
    })
  })
  const servers = [
    { server: secure as Server, port: tls.httpsPort },
    { server: plain, port: tls.httpPort },
  ].filter(({ port }) => port !== 0)
  for (const { server, port } of servers)
    await listenOn(server, port, tls.listenAddress).catch((error: Error) =>
      logger.error({ port, reason: error.message }, 'the console cannot listen on this port of its own address'),
    )
  // From now on challenges can be answered.
  if (!tls.files && !served.isThere())
    await withSystem(database.db, (db) => sql`select pg_notify('certificates', '')`.execute(db))
  return {
    async close() {
      served.close()
      await Promise.all(servers.map(({ server }) => drain(server, env.drainMs)))
    },
  }
}

/** Listens on all addresses if requested, of the address families that the machine has. */
async function listenOn(server: Server, port: number, host: string): Promise<void> {
  const listen = (address: string) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      // The port is shared, so that the API of the next release can listen before this one ends.
      server.listen({ port, host: address, reusePort: true }, () => {
        server.off('error', reject)
        resolve()
      })
    })
  await listen(host).catch((error: NodeJS.ErrnoException) => {
    if (host !== '::' || !['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(error.code ?? '')) throw error
    return listen('0.0.0.0')
  })
}

async function answerPlain(
  request: IncomingMessage,
  reply: ServerResponse,
  publicUrl: string,
  served: ServedCertificate,
): Promise<void> {
  const say = (status: number, text: string, headers: Record<string, string> = {}) =>
    reply.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(text)
  const url = request.url ?? '/'
  const token = challenge.exec(url)?.[1]
  if (token) {
    const thumbprint = await served.thumbprint()
    if (thumbprint) say(200, `${token}.${thumbprint}`)
    else say(404, 'No certificate is being ordered.\n')
    return
  }
  if (!served.isThere()) {
    say(503, `${publicUrl} has no certificate yet. The log of the worker and of the API says why.\n`, {
      'retry-after': '60',
    })
    return
  }
  // A request sent without TLS may already have been read by others, so clients must notice: no redirect.
  if (request.method !== 'GET' && request.method !== 'HEAD') say(403, `Use ${publicUrl}\n`)
  else say(308, '', { location: publicUrl + (url.startsWith('/') ? url : '/') })
}
