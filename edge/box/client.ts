/** Requests for tests: over TCP or a unix socket, with or without TLS, without following redirects or decoding. */
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'

export type Reply = { status: number; headers: IncomingHttpHeaders; body: Buffer; text: string }

export type Sending = {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Buffer | undefined
  port?: number
  socketPath?: string
  localAddress?: string | undefined
  /** The SNI of the handshake; undefined for plaintext. */
  tls?: string | false | undefined
}

/** Sends one request on a separate connection. */
export function send({ body, tls, ...sending }: Sending): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { ...sending, host: sending.socketPath ? undefined : '127.0.0.1', agent: false } as RequestOptions
    const request = tls
      ? httpsRequest({ ...options, servername: tls, rejectUnauthorized: false })
      : httpRequest(options)
    request.on('error', reject)
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const whole = Buffer.concat(chunks)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: whole, text: whole.toString() })
      })
    })
    if (body !== undefined && !('content-length' in sending.headers))
      request.setHeader('content-length', Buffer.byteLength(body))
    request.end(body)
  })
}
