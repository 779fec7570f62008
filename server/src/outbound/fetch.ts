/** `fetch` behind the guard: to a checked address, without redirects, limited in time and size. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { rootCertificates } from 'node:tls'
import type { OutboundGuard } from './guard.ts'

const timeoutMs = 10_000
const usualBytesMax = 1_048_576

type Options = {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array | URLSearchParams | null
  signal?: AbortSignal
  /** Certificates in PEM that are trusted for the server, in addition to the machine's own. */
  trusted?: string
  /**
   * An origin to connect to instead of the URL's own host. Its certificate is not verified: nodes need not do so
   * either.
   */
  origin?: { ip: string; port: number; tls: boolean; host: string; serverName: string }
  /** Maximum bytes of the answer; one mebibyte by default. */
  bodyBytesMax?: number
}

export class AnswerTooLarge extends Error {}

/**
 * Requests a URL. Throws if no permitted address answers in time, or if the answer is too long. TLS verifies the URL's
 * host name.
 */
export async function guardedFetch(guard: OutboundGuard, address: string, options: Options = {}): Promise<Response> {
  const url = new URL(address)
  const { origin, bodyBytesMax = usualBytesMax } = options
  const host = origin?.ip ?? url.hostname.replace(/^\[|\]$/g, '')
  const [target] = await guard.resolve(host)
  if (target === undefined) throw new Error(`${host} may not be reached: it is no public address`)
  const body = options.body ?? null
  const isTls = origin?.tls ?? url.protocol === 'https:'
  const send = isTls ? httpsRequest : httpRequest
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send({
      host: target,
      port: origin?.port ?? (url.port || (isTls ? 443 : 80)),
      path: url.pathname + url.search,
      method: options.method ?? 'GET',
      headers: { ...options.headers, host: origin?.host ?? url.host },
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])]),
      agent: false,
      ...(isTls && origin
        ? { rejectUnauthorized: false, servername: isIP(origin.serverName) ? '' : origin.serverName }
        : {}),
      ...(isTls && !origin && !isIP(host) ? { servername: host } : {}),
      ...(options.trusted ? { ca: [...rootCertificates, options.trusted] } : {}),
    })
    request.on('response', resolve)
    request.on('error', reject)
    request.end(body === null ? undefined : body instanceof URLSearchParams ? body.toString() : body)
  })
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of message) {
    bytes += (chunk as Buffer).length
    if (bytes > bodyBytesMax) {
      message.destroy()
      throw new AnswerTooLarge(`${host} answered more than ${bodyBytesMax} bytes`)
    }
    chunks.push(chunk as Buffer)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) if (value !== undefined) headers.set(name, String(value))
  const status = message.statusCode ?? 502
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers })
}
