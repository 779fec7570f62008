/** A stub origin that records its requests. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

export type Asked = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

export class StubOrigin {
  readonly asked: Asked[] = []
  readonly port: number
  readonly server: Server

  private constructor(server: Server, port: number) {
    this.server = server
    this.port = port
  }

  /** Responds with `handler`; without one, with the requested URL. */
  static async start(
    handler?: (request: IncomingMessage, response: ServerResponse, asked: Asked) => void,
  ): Promise<StubOrigin> {
    let origin: StubOrigin | undefined
    const server = createServer((request, response) => {
      const asked: Asked = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: '' }
      origin?.asked.push(asked)
      const answer = () => (handler ? handler(request, response, asked) : response.end(`origin ${asked.url}`))
      if (request.headers.expect !== undefined || handler?.length === 2) return answer()
      request.on('data', (chunk: Buffer) => {
        asked.body += chunk.toString('latin1')
      })
      request.on('end', answer)
    })
    // The edge keeps connections alive: an origin that closes idle ones might do so just as the edge sends a request.
    server.keepAliveTimeout = 0
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = new StubOrigin(server, (server.address() as { port: number }).port)
    return origin
  }

  async end(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
