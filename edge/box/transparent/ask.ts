/**
 * Clients that report complete responses over HTTP/1.1, HTTP/2 and, if available, HTTP/3: interim responses, every
 * header line and the trailers.
 */
import { request as httpRequest, type RequestOptions } from 'node:http'
import { connect as connectHttp2, constants, type IncomingHttpHeaders } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import type { Box } from '../harness.ts'
import { askHttp3 } from '../http3.ts'

export type Version = '1.1' | '2' | '3'
/** The versions that every node supports. */
export const versions: Version[] = ['1.1', '2']

export type Asking = {
  method?: string
  /** Sent unchanged: nothing is escaped or resolved. */
  path: string
  headers?: Record<string, string>
  body?: string | Buffer | undefined
  /** Timeout in ms; a minute by default. */
  patience?: number
}

export type Answer = {
  status: number
  /** All header lines in order of arrival, with names in lower case. */
  lines: [string, string][]
  trailers: [string, string][]
  /** Status codes of interim responses. */
  interim: number[]
  body: Buffer
  ms: number
}

const headMax = 1 << 20

/** The value of a header, with its lines joined; undefined if missing. */
export function header(answer: Answer, name: string): string | undefined {
  const values = answer.lines.filter(([key]) => key === name).map(([, value]) => value)
  return values.length === 0 ? undefined : values.join(', ')
}

export const cacheOf = (answer: Answer): string | undefined => header(answer, 'x-cache')

/** Sends a request to a node as a visitor of `host`. HTTP/2 and HTTP/3 use TLS. */
export function ask(box: Box, version: Version, host: string, asking: Asking): Promise<Answer> {
  const { httpPort, httpsPort } = box.settings
  if (version === '1.1') return askHttp1({ port: httpPort, host }, asking)
  return (version === '2' ? askHttp2 : askHttp3)({ port: httpsPort, host }, asking)
}

export type Place = { port: number; host: string; tls?: boolean }

/** Sends a request over HTTP/1.1 on a separate connection. */
export function askHttp1({ port, host, tls }: Place, asking: Asking): Promise<Answer> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const options: RequestOptions & { servername?: string; rejectUnauthorized?: boolean } = {
      port,
      host: '127.0.0.1',
      agent: false,
      method: asking.method ?? 'GET',
      path: asking.path,
      headers: {
        host,
        ...(asking.body !== undefined && { 'content-length': `${Buffer.byteLength(asking.body)}` }),
        ...asking.headers,
      },
      maxHeaderSize: headMax,
      signal: AbortSignal.timeout(asking.patience ?? 60_000),
    }
    const request = tls
      ? httpsRequest({ ...options, servername: host, rejectUnauthorized: false })
      : httpRequest(options)
    const interim: number[] = []
    request.on('error', reject)
    request.on('continue', () => interim.push(100))
    request.on('information', ({ statusCode }) => statusCode !== 100 && interim.push(statusCode))
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          lines: pairs(response.rawHeaders),
          trailers: pairs(response.rawTrailers),
          interim,
          body: Buffer.concat(chunks),
          ms: performance.now() - began,
        }),
      )
    })
    request.end(asking.body)
  })
}

/** Sends a request over HTTP/2 and TLS on a separate connection. */
export function askHttp2({ port, host }: Place, asking: Asking): Promise<Answer> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`https://${host}`, {
      host: '127.0.0.1',
      port,
      servername: host,
      rejectUnauthorized: false,
      settings: { maxHeaderListSize: headMax },
    })
    const timer = setTimeout(() => fail(new Error('no answer in time')), asking.patience ?? 60_000)
    const fail = (error: unknown) => {
      clearTimeout(timer)
      session.destroy()
      reject(error)
    }
    session.on('error', fail)
    const body = asking.body === undefined ? undefined : Buffer.from(asking.body)
    const stream = session.request(
      {
        ':method': asking.method ?? 'GET',
        ':path': asking.path,
        ':authority': `${host}:${port}`,
        ...(body && { 'content-length': `${body.length}` }),
        ...asking.headers,
      },
      { endStream: body === undefined },
    )
    const answer: Answer = { status: 0, lines: [], trailers: [], interim: [], body: Buffer.alloc(0), ms: 0 }
    const chunks: Buffer[] = []
    stream.on('error', fail)
    stream.on('continue', () => answer.interim.push(100))
    stream.on('headers', (headers: IncomingHttpHeaders) => answer.interim.push(Number(headers[':status'])))
    stream.on('response', (headers, _flags, raw?: string[]) => {
      answer.status = Number(headers[':status'])
      answer.lines = pairs(raw ?? []).filter(([name]) => !name.startsWith(':'))
    })
    stream.on('trailers', (_headers, _flags, raw?: string[]) => {
      answer.trailers = pairs(raw ?? [])
    })
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      clearTimeout(timer)
      session.close()
      if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) return reject(new Error(`reset: ${stream.rstCode}`))
      resolve({ ...answer, body: Buffer.concat(chunks), ms: performance.now() - began })
    })
    stream.end(body)
  })
}

function pairs(flat: string[]): [string, string][] {
  const out: [string, string][] = []
  for (let i = 0; i + 1 < flat.length; i += 2) out.push([flat[i]!.toLowerCase(), flat[i + 1]!])
  return out
}
