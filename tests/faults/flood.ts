/** Many requests over few connections, pipelined: a flood that a test machine can generate. */
import { connect } from 'node:net'

/** Number of requests in flight on a connection. */
const batch = 200
/** The connection is closed before nginx would close it, which would lose requests in flight. */
const requestsMax = 9000

export type Flood = {
  port: number
  host: string
  /** Number of requests, and the address and path of each. */
  count: number
  address: (i: number) => string
  path?: (i: number) => string
  connections?: number
}

/** Sends all requests and reads all responses; returns the number of responses per status. */
export async function flood({ connections = 4, ...asked }: Flood): Promise<Map<string, number>> {
  const statuses = new Map<string, number>()
  let next = 0
  const take = () => (next < asked.count ? next++ : undefined)
  const worker = async () => {
    while (next < asked.count) await stream(asked, take, statuses)
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return statuses
}

function stream(
  { port, host, address, path = () => '/' }: Omit<Flood, 'connections'>,
  take: () => number | undefined,
  statuses: Map<string, number>,
): Promise<void> {
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1')
    let waiting = 0
    let sent = 0
    let rest = ''
    const more = () => {
      let text = ''
      for (let i = sent < requestsMax ? take() : undefined; i !== undefined; i = waiting < batch ? take() : undefined) {
        waiting++
        sent++
        text += `HEAD ${path(i)} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${address(i)}\r\n\r\n`
      }
      if (text === '') socket.end()
      else socket.write(text)
    }
    socket.on('connect', more)
    socket.on('data', (chunk: Buffer) => {
      const text = rest + chunk.toString('latin1')
      let seen = 0
      for (const [whole, status] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        seen = text.indexOf(whole, seen) + whole.length
        statuses.set(status ?? '', (statuses.get(status ?? '') ?? 0) + 1)
        waiting--
      }
      rest = text.slice(Math.max(seen, text.length - 16))
      if (waiting === 0) more()
    })
    socket.on('error', failed)
    socket.on('close', () => done())
  })
}

/** A distinct IPv4 address for each number. */
export const v4 = (i: number): string => `${1 + (i % 200)}.${(i >> 4) % 256}.${(i >> 12) % 256}.${i % 251}`
/** An IPv6 address in a distinct /32. */
export const v6 = (i: number): string => `2${(i % 4096).toString(16).padStart(3, '0')}:${(i >> 2).toString(16)}::1`
