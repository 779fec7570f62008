/** Requests of a visitor to the console's own URL, for tests. */
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'

type Answer = { status: number; text: string; location: string | undefined; names: string }

/**
 * `names` are those of the certificate that was presented; its issuer is not verified. Rejects if there is no response.
 */
export function visit(
  address: string,
  port: number,
  path: string,
  { method = 'GET', serverName }: { method?: string; serverName?: string } = {},
): Promise<Answer> {
  const target = { host: address, port, path, method, agent: false as const }
  return new Promise((resolve, reject) => {
    const asked =
      serverName === undefined
        ? plainRequest(target)
        : tlsRequest({ ...target, servername: serverName, rejectUnauthorized: false })
    asked.on('error', reject)
    asked.on('response', (reply) => {
      let text = ''
      const names = serverName === undefined ? '' : (reply.socket as TLSSocket).getPeerCertificate().subjectaltname
      reply.setEncoding('utf8')
      reply.on('data', (piece: string) => {
        text += piece
      })
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, text, location: reply.headers.location, names: names ?? '' }),
      )
    })
    asked.end()
  })
}
