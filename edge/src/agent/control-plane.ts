/** The agent's client for the node API: JSON over mutual TLS, trusting a single certificate authority. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Agent, request } from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { createZstdDecompress } from 'node:zlib'
import type { ErrorBody } from '@breakwater/contract/errors.ts'
import type { z } from 'zod'
import { makeClock } from './clock.ts'

const TIMEOUT_MS = 30_000
const REPLY_BYTES_MAX = 64_000_000
const takes = { 'accept-encoding': 'zstd' }

/** The control plane answered with an error status. */
export class Refused extends Error {
  readonly status: number
  readonly code: number
  /** How long the control plane asks to wait before a retry when it is busy (`Retry-After`). */
  readonly retryAfterMs: number
  constructor(status: number, code: number, message: string, retryAfterMs: number) {
    super(`refused with ${status}: ${message}`)
    this.status = status
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
  /** Whether the same request would be refused again, however often it is sent. */
  get final(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429
  }
}

/** A reply longer than any legitimate one. */
export class TooLong extends Error {}

export type Credentials = { authority: string; certificate?: string; key?: string }

export type ControlPlane = {
  get<S extends z.ZodType>(path: string, reply: S): Promise<z.output<S>>
  post<S extends z.ZodType>(path: string, body: unknown, reply: S): Promise<z.output<S>>
  /** Posts a body that is not JSON. */
  send<S extends z.ZodType>(
    path: string,
    bytes: Uint8Array,
    headers: OutgoingHttpHeaders,
    reply: S,
  ): Promise<z.output<S>>
  /** Returns a streaming reply. */
  open(path: string, signal: AbortSignal): Promise<IncomingMessage>
  /** New connections present this certificate (PEM) from now on; the key stays the same. */
  use(certificate: string): void
  /** Seconds to add to this machine's times; undefined until the control plane has replied. */
  clockOffset(): number | undefined
  close(): void
}

function plain(message: IncomingMessage): Readable {
  if (message.headers['content-encoding'] !== 'zstd') return message
  // `pipeline` passes errors of either side on to the reader.
  return pipeline(message, createZstdDecompress(), () => {})
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Decompressed bytes are counted: a small body may expand to a huge one.
  for await (const chunk of plain(message) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > REPLY_BYTES_MAX) throw new TooLong(`a reply of more than ${REPLY_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function refusal(message: IncomingMessage, text: string): Refused {
  let body: Partial<ErrorBody> = {}
  try {
    body = JSON.parse(text) as Partial<ErrorBody>
  } catch {
    // An intermediary such as a proxy answered; its page does not help.
  }
  const wait = Number(message.headers['retry-after'])
  const retryAfterMs = Number.isFinite(wait) ? Math.min(Math.max(wait, 0), 300) * 1000 : 0
  const status = message.statusCode ?? 0
  return new Refused(
    status,
    Number(body.code ?? 0),
    String(body.message ?? 'no reason given').slice(0, 200),
    retryAfterMs,
  )
}

type Sent = { body?: string | Uint8Array; headers?: OutgoingHttpHeaders; signal?: AbortSignal }

export function connectControlPlane(server: string, credentials: Credentials): ControlPlane {
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 6,
    ca: credentials.authority,
    cert: credentials.certificate,
    key: credentials.key,
    minVersion: 'TLSv1.3',
  })

  const clock = makeClock()

  function once(method: string, path: string, sent: Sent): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { headers, signal } = sent
      const askedAt = Date.now()
      const heard = (message: IncomingMessage) => {
        clock.note(message.headers.date, askedAt, Date.now())
        resolve(message)
      }
      const outgoing = request(`${server}${path}`, { method, agent, headers, signal, timeout: TIMEOUT_MS }, heard)
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer in ${TIMEOUT_MS / 1000} s`)))
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The peer closed the keep-alive connection meanwhile. All calls here are safe to send twice.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') once(method, path, sent).then(resolve, reject)
        else reject(error)
      })
      outgoing.end(sent.body)
    })
  }

  async function ask<S extends z.ZodType>(method: string, path: string, reply: S, sent: Sent): Promise<z.output<S>> {
    const message = await once(method, path, sent)
    const text = await textOf(message)
    if (message.statusCode !== 200) throw refusal(message, text)
    return reply.parse(JSON.parse(text))
  }

  return {
    get: (path, reply) => ask('GET', path, reply, { headers: takes }),
    post: (path, body, reply) =>
      ask('POST', path, reply, {
        body: JSON.stringify(body),
        headers: { ...takes, 'content-type': 'application/json' },
      }),
    send: (path, bytes, headers, reply) => ask('POST', path, reply, { body: bytes, headers }),
    async open(path, signal) {
      const message = await once('GET', path, { signal })
      if (message.statusCode !== 200) throw refusal(message, await textOf(message))
      return message
    },
    use(certificate) {
      agent.options.cert = certificate
      // Idle connections would keep using the old certificate; those in use end by themselves.
      for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
    },
    clockOffset: clock.offset,
    close: () => agent.destroy(),
  }
}
