/** Many requests over a few keep-alive connections; each response is compared with the expected one. */
import { connect, type Socket } from 'node:net'

export type Asked = { host: string; path: string; headers?: Record<string, string> }
export type Heard = { status: number; headers: Record<string, string>; body: string }

/** Requests in flight on one connection. */
const PIPELINE = 16
/** Requests per connection: fewer than nginx's limit. */
const KEPT = 9_000

/**
 * Sends `count` requests over `connections` connections from the address `from`, at most `perSecond` per second.
 * `judge` receives every response; a connection that ends early is an error.
 */
export async function sendCrowd(
  port: number,
  count: number,
  next: (at: number) => Asked,
  judge: (asked: Asked, heard: Heard) => void,
  { connections = 4, perSecond = Number.POSITIVE_INFINITY, from = '127.0.0.1' } = {},
): Promise<void> {
  let sent = 0
  const began = performance.now()
  const line = async () => {
    while (sent < count) await connection()
  }
  const connection = async () => {
    const at = performance.now()
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true })
    const replies = readReplies(socket)
    for (let kept = 0; kept < KEPT && sent < count; kept += PIPELINE) {
      const batch = Array.from({ length: Math.min(PIPELINE, count - sent) }, (_, at) => next(sent + at))
      sent += batch.length
      socket.write(batch.map(requestText).join(''))
      for (const asked of batch) judge(asked, await replies().catch(endedAfter(at, kept)))
      const aheadMs = (sent / perSecond) * 1000 - (performance.now() - began)
      if (aheadMs > 0) await new Promise((done) => setTimeout(done, aheadMs))
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, line))
}

/** Reports the age of a connection that ended early, and how many requests it had carried. */
const endedAfter = (at: number, kept: number) => (cause: Error) => {
  const ms = Math.round(performance.now() - at)
  throw new Error(`a connection of ${ms} ms and ${kept} requests ended: ${cause.message}`, { cause })
}

const requestText = ({ host, path, headers = {} }: Asked): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${Object.entries(headers)
    .map(([key, value]) => `${key}: ${value}\r\n`)
    .join('')}\r\n`

/**
 * Reads responses one after the other. Only those with a Content-Length are supported, which all of these tests use.
 */
function readReplies(socket: Socket): () => Promise<Heard> {
  let text = ''
  let over: Error | undefined
  let wake = () => {}
  const heardMore = (error?: Error) => {
    over ??= error
    wake()
  }
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    heardMore()
  })
  socket.on('error', heardMore)
  socket.on('close', () => heardMore(new Error('the connection ended')))
  return async () => {
    for (;;) {
      const head = text.indexOf('\r\n\r\n')
      if (head >= 0) {
        const [first = '', ...lines] = text.slice(0, head).split('\r\n')
        const headers = Object.fromEntries(lines.map((one) => one.toLowerCase().split(/: (.*)/s, 2)))
        const end = head + 4 + Number(headers['content-length'])
        if (text.length >= end) {
          const body = text.slice(head + 4, end)
          text = text.slice(end)
          return { status: Number(first.slice(9, 12)), headers, body }
        }
        if (Number.isNaN(end)) throw new Error(`an answer without a length: ${text.slice(0, head)}`)
      }
      if (over) throw over
      await new Promise<void>((done) => {
        wake = done
      })
    }
  }
}
