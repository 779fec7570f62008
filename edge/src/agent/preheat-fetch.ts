/** Fetches a URL of a site through this node's own nginx, as visitors would, and tells whether it is stored then. */
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIP } from 'node:net'
import { reasonOf } from './log.ts'

/** Of one URL, with the look at whether it was stored. */
const FETCH_MS = 60_000

export type NodePorts = { http: number; https: number }

/** Answers from the cache, stale ones that are renewed meanwhile among them. */
const stored = new Set(['HIT', 'REVALIDATED', 'STALE', 'UPDATING'])

type Answer = { status: number; cache: string }

/**
 * The cache keeps answers apart by what visitors can decode: this is what browsers say, which take Brotli over TLS only,
 * and nothing, as programs and whoever asks for a part of a file have it.
 */
const decodings = (url: URL): (string | undefined)[] => [
  url.protocol === 'https:' ? 'gzip, deflate, br, zstd' : 'gzip, deflate',
  undefined,
]

type Result = { ok: boolean; detail: string }

/** Whether the node has the URL stored afterwards; else why not, in a few words. Never throws. */
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
  // A worker that has sent the last byte may be about to store it: the second look is sure.
  for (let looks = 0; looks < 2; looks++) if (stored.has((await asks('HEAD')).cache)) return { ok: true, detail: '' }
  const how = first.cache === '' ? '' : ` (${first.cache})`
  return { ok: false, detail: `answered ${first.status}, and the answer is not stored${how}` }
}

/** The connection leads to this machine whatever the URL says: only nginx decides what its host is. */
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
    // Whether the certificate is good is a visitor's question: this is the node itself, over loopback.
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
