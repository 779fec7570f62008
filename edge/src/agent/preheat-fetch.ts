/** Fetches a URL of a site through this node's own nginx, as a visitor would, and reports whether it is cached then. */
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { reasonOf } from './log.ts'

/** The time limit for one URL, with the check that it was cached. */
const FETCH_MS = 60_000

export type NodePorts = { http: number; https: number }

/** Cache states of stored responses, including stale ones that are being refreshed. */
const stored = new Set(['HIT', 'REVALIDATED', 'STALE', 'UPDATING'])

type Answer = { status: number; cache: string }

/**
 * The cache keeps one variant per accepted encoding. These are the `Accept-Encoding` of browsers, which accept Brotli
 * only over TLS, and none, as sent by programs and used for range requests.
 */
const decodings = (url: URL): (string | undefined)[] => [
  url.protocol === 'https:' ? 'gzip, deflate, br, zstd' : 'gzip, deflate',
  undefined,
]

type Result = { ok: boolean; detail: string }

/** Returns whether the node has the URL cached afterwards, and if not, a short reason. Never throws. */
export async function preheatUrl(ports: NodePorts, text: string, withinMs = FETCH_MS): Promise<Result> {
  try {
    const url = new URL(text)
    const end = AbortSignal.timeout(withinMs)
    for (const encoding of decodings(url)) {
      const result = await store((method) => ask(ports, url, method, encoding, end))
      if (!result.ok) return result
    }
    return { ok: true, detail: '' }
  } catch (error) {
    const isLate = ['TimeoutError', 'AbortError'].includes((error as Error).name)
    return { ok: false, detail: isLate ? `took longer than ${withinMs / 1000} s` : reasonOf(error).slice(0, 500) }
  }
}

async function store(asks: (method: 'GET' | 'HEAD') => Promise<Answer>): Promise<Result> {
  const first = await asks('GET')
  if (first.status >= 400) return { ok: false, detail: `answered ${first.status}` }
  if (stored.has(first.cache)) return { ok: true, detail: '' }
  // After the last byte was sent, the worker may not have stored the response yet: a second check is reliable.
  for (let looks = 0; looks < 2; looks++) if (stored.has((await asks('HEAD')).cache)) return { ok: true, detail: '' }
  const how = first.cache === '' ? '' : ` (${first.cache})`
  return { ok: false, detail: `answered ${first.status}, and the answer is not stored${how}` }
}

/** The connection always goes to this machine, whatever the URL: only nginx interprets its host. */
function ask(
  ports: NodePorts,
  url: URL,
  method: 'GET' | 'HEAD',
  encoding: string | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const isTls = url.protocol === 'https:'
  const options = {
    host: '127.0.0.1',
    port: isTls ? ports.https : ports.http,
    method,
    path: `${url.pathname}${url.search}`,
    agent: false as const,
    signal,
    headers: {
      host: url.host,
      accept: '*/*',
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
      'user-agent': 'Breakwater-Preheat',
    },
  }
  return new Promise((resolve, reject) => {
    const answered = (message: IncomingMessage) => {
      message.on('error', reject)
      message.on('end', () =>
        resolve({ status: message.statusCode ?? 0, cache: String(message.headers['x-cache'] ?? '') }),
      )
      message.resume()
    }
    // The certificate is not verified: the peer is the node itself, over loopback.
    const outgoing = isTls
      ? https.request(
          { ...options, servername: isIP(url.hostname) ? '' : url.hostname, rejectUnauthorized: false },
          answered,
        )
      : http.request(options, answered)
    outgoing.on('error', reject)
    outgoing.end()
  })
}
