/** An origin without an HTTP library: it answers a request with exactly the bytes that a test provides. */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

export type RawRequest = {
  /** The request target as received. */
  target: string
  method: string
  head: string
  body: string
}

export class RawOrigin {
  readonly asked: RawRequest[] = []
  readonly port: number
  private readonly server: Server
  private readonly sockets: Set<Socket>

  private constructor(server: Server, port: number, sockets: Set<Socket>) {
    this.server = server
    this.port = port
    this.sockets = sockets
  }

  /**
   * Calls `answer` for every complete request (a body needs a Content-Length), on keep-alive connections.
   * `greet` is called for each connection before a request is read.
   */
  static async start(
    answer: (socket: Socket, request: RawRequest) => void,
    greet: (socket: Socket) => void = () => {},
  ): Promise<RawOrigin> {
    const sockets = new Set<Socket>()
    let origin: RawOrigin | undefined
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
      // The edge may disconnect at any time.
      socket.on('error', () => socket.destroy())
      let text = ''
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
        for (;;) {
          const [request, rest] = takeRequest(text)
          if (request === undefined) return
          text = rest
          origin!.asked.push(request)
          answer(socket, request)
        }
      })
      greet(socket)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = new RawOrigin(server, (server.address() as { port: number }).port, sockets)
    return origin
  }

  async end(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** The first complete request in a text, and the rest of the text. */
function takeRequest(text: string): [RawRequest | undefined, string] {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return [undefined, text]
  const head = text.slice(0, end)
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  if (text.length < end + 4 + length) return [undefined, text]
  const [method, target] = head.split(' ', 2)
  const body = text.slice(end + 4, end + 4 + length)
  return [{ method: method!, target: target!, head, body }, text.slice(end + 4 + length)]
}

/** The bytes of an ordinary response. */
export function plainAnswer(body: string, headers: string[] = []): string {
  return ['HTTP/1.1 200 OK', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n')
}
