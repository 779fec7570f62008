/** A connection on which a test writes raw bytes. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { until } from './harness.ts'

export class RawClient {
  readonly socket: Socket
  /** All received bytes, one character per byte. */
  received = ''
  closed = false

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (data: Buffer) => {
      this.received += data.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.closed = true
    })
  }

  static async open(port: number, localAddress = '127.0.0.1'): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    const client = new RawClient(socket)
    await once(socket, 'connect')
    return client
  }

  write(bytes: string | Buffer): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  }

  /** Waits for the end of the connection and returns all received bytes. */
  async end(ms = 60_000): Promise<string> {
    await until('the end of the connection', () => this.closed, ms)
    return this.received
  }

  /** Waits until the response contains a text. */
  async sees(text: string, ms = 60_000): Promise<void> {
    await until(`${JSON.stringify(text)} in the answer`, () => this.received.includes(text), ms)
  }

  destroy(): void {
    this.socket.destroy()
  }
}

/** The status of each response in a stream. */
export const statuses = (answer: string): number[] =>
  [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** Sends one raw request and returns the whole response; the request must contain `Connection: close`. */
export async function exchange(port: number, request: string): Promise<string> {
  const client = await RawClient.open(port)
  client.write(request)
  return await client.end()
}
