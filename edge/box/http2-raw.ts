/** An HTTP/2 client that sends arbitrary frames, unlike any library. */
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'

export const frameTypes = {
  ...{ data: 0, headers: 1, priority: 2, reset: 3, settings: 4 },
  ...{ ping: 6, goaway: 7, windowUpdate: 8, continuation: 9 },
} as const
export const flags = { endStream: 1, endHeaders: 4, ack: 1 } as const

/** A frame: length (3), type (1), flags (1), stream (4), payload. */
export function frame(type: number, flag: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flag
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** Header fields as literals that are never indexed. */
export function fields(all: [name: string, value: string][]): Buffer {
  const text = (value: string) => {
    const bytes = Buffer.from(value, 'latin1')
    if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes])
    const length = [127]
    let rest = bytes.length - 127
    for (; rest >= 128; rest >>= 7) length.push((rest & 127) | 128)
    return Buffer.concat([Buffer.from([...length, rest]), bytes])
  }
  return Buffer.concat(all.flatMap(([name, value]) => [Buffer.from([0x10]), text(name), text(value)]))
}

/** The header fields of a request, with additional fields at the end. */
export const requestFields = (host: string, path: string, more: [string, string][] = [], method = 'GET'): Buffer =>
  fields([[':method', method], [':scheme', 'https'], [':authority', host], [':path', path], ...more])

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

type Received = { type: number; flag: number; stream: number; payload: Buffer }

export class Http2Client {
  readonly socket: TLSSocket
  readonly frames: Received[] = []
  closed = false
  private rest = Buffer.alloc(0)

  private constructor(socket: TLSSocket) {
    this.socket = socket
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.closed = true
    })
    socket.on('data', (data: Buffer) => this.take(data))
  }

  /** Connects and sends the preface, with settings as pairs of ID and value. */
  static async open(port: number, host: string, settings: [id: number, value: number][] = []): Promise<Http2Client> {
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: host,
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
    })
    const client = new Http2Client(socket)
    await once(socket, 'secureConnect')
    const payload = Buffer.alloc(settings.length * 6)
    settings.forEach(([id, value], n) => {
      payload.writeUInt16BE(id, n * 6)
      payload.writeUInt32BE(value, n * 6 + 2)
    })
    client.send(Buffer.from(preface), frame(frameTypes.settings, 0, 0, payload))
    return client
  }

  send(...frames: Buffer[]): void {
    if (!this.closed) this.socket.write(Buffer.concat(frames))
  }

  /** Waits until the kernel has accepted all sent data, or the connection is closed. */
  async drained(): Promise<void> {
    if (this.closed || !this.socket.writableNeedDrain) {
      await new Promise((resolve) => setImmediate(resolve))
      return
    }
    await new Promise<void>((resolve) => {
      const done = () => {
        this.socket.off('drain', done).off('close', done)
        resolve()
      }
      this.socket.on('drain', done).on('close', done)
    })
  }

  /** The status of a stream's response, as nginx encodes it: indexed, or a three-digit literal. */
  statusOf(stream: number): number | undefined {
    const found = this.frames.find((one) => one.type === frameTypes.headers && one.stream === stream)
    if (found === undefined) return undefined
    const [first] = found.payload
    const indexed: Record<number, number> = { 136: 200, 137: 204, 138: 206, 139: 304, 140: 400, 141: 404, 142: 500 }
    return indexed[first!] ?? Number(/\d{3}/.exec(found.payload.subarray(0, 8).toString('latin1'))?.[0])
  }

  /** Whether the edge has closed the connection, or sent GOAWAY. */
  get isGivenUp(): boolean {
    return this.closed || this.frames.some(({ type }) => type === frameTypes.goaway)
  }

  destroy(): void {
    this.socket.destroy()
  }

  private take(data: Buffer): void {
    this.rest = Buffer.concat([this.rest, data])
    for (;;) {
      if (this.rest.length < 9) return
      const length = this.rest.readUIntBE(0, 3)
      if (this.rest.length < 9 + length) return
      this.frames.push({
        ...{ type: this.rest[3]!, flag: this.rest[4]!, stream: this.rest.readUInt32BE(5) },
        payload: this.rest.subarray(9, 9 + length),
      })
      this.rest = this.rest.subarray(9 + length)
    }
  }
}
