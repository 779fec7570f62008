/** `fetch` behind the guard: to an address that was looked at, without redirects, bounded in time and size. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import type { OutboundGuard } from './guard.ts'

const timeoutMs = 10_000
const bodyBytesMax = 1_048_576

type Options = {
  method?: string
  headers?: Record<string, string>
  body?: string | Uint8Array | URLSearchParams | null
  signal?: AbortSignal
}

/** Asks a URL. Throws where no permitted address answers in time, or says too much. The name of the URL is what TLS verifies. */
export async function guardedFetch(guard: OutboundGuard, address: string, options: Options = {}): Promise<Response> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const [target] = await guard.resolve(host)
  if (target === undefined) throw new Error(`${host} may not be reached: it is no public address`)
  const body = options.body ?? null
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send({
      host: target,
      port: url.port || (url.protocol === 'https:' ? 443 : 80),
      path: url.pathname + url.search,
      method: options.method ?? 'GET',
      headers: { ...options.headers, host: url.host },
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(options.signal ? [options.signal] : [])]),
      agent: false,
      ...(url.protocol === 'https:' && !isIP(host) ? { servername: host } : {}),
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
      throw new Error(`${host} answered more than ${bodyBytesMax} bytes`)
    }
    chunks.push(chunk as Buffer)
  }
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) if (value !== undefined) headers.set(name, String(value))
  const status = message.statusCode ?? 502
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers })
}
