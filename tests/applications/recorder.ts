/**
 * A way to an application: direct, or through the edge over HTTP/1.1, HTTP/2 or HTTP/3. Requests can be sent through
 * it, or its address given to a client that makes its own; it records every exchange.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { type Box, until } from '../../edge/box/harness.ts'
import { beginHttp3 } from '../../edge/box/http3.ts'
import { type Answer, type Asking, ask, askHttp1, type Place, type Version } from '../../edge/box/transparent/ask.ts'
import type { Exchange } from './compare.ts'

export type Way = 'direct' | 'edge'

const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'host', 'upgrade', 'proxy-connection']

type Facts = {
  box: Box
  way: Way
  version: Version
  /** Hostname of the site. */
  host: string
  /** Port that the application listens on. */
  application: number
}

export class Recorder {
  readonly exchanges: Exchange[] = []
  /** Response heads of WebSocket handshakes, without the lines that differ each time. */
  readonly handshakes: string[] = []
  readonly facts: Facts
  /** Host and port as the application sees them. */
  readonly authority: string
  /** Port for clients that make their own requests. */
  readonly port: number
  private readonly server: Server
  private readonly sockets = new Set<Socket>()

  private constructor(server: Server, facts: Facts) {
    this.server = server
    this.port = (server.address() as { port: number }).port
    this.facts = facts
    const { httpPort, httpsPort } = facts.box.settings
    this.authority = `${facts.host}:${facts.version === '1.1' ? httpPort : httpsPort}`
    server.on('request', (request, response) => {
      this.pass(request, response).catch((error: Error) => response.destroy(error))
    })
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => this.tunnel(request, socket, head))
  }

  static async start(facts: Facts): Promise<Recorder> {
    const server = createServer({ maxHeaderSize: 1 << 20 })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new Recorder(server, facts)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /**
   * The headers that the edge adds for the application; a direct request has them too, because the application builds
   * URLs from them.
   */
  private get forwarded(): Record<string, string> {
    const proto = this.facts.version === '1.1' ? 'http' : 'https'
    return { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1', 'x-forwarded-proto': proto }
  }

  async ask(asking: Asking): Promise<Answer> {
    const answer = await this.answerTo(asking).catch((error: Error) => {
      const what = `${asking.method ?? 'GET'} ${asking.path} ${JSON.stringify(asking.headers)}`
      throw new Error(`no answer (${this.facts.way}, HTTP/${this.facts.version}) to ${what}: ${error.message}`)
    })
    this.exchanges.push({ asking, answer })
    return answer
  }

  private answerTo(asking: Asking): Promise<Answer> {
    const { box, way, version, host, application } = this.facts
    if (way === 'edge') return ask(box, version, host, asking)
    const headers = { ...asking.headers, ...this.forwarded }
    return askHttp1({ port: application, host: this.authority }, { ...asking, headers })
  }

  /**
   * Sends a request whose body is shorter than its Content-Length, and cuts the connection once `arrived` returns true.
   */
  async cut(asking: Asking, arrived: () => boolean): Promise<void> {
    const { box, way, version, host, application } = this.facts
    const isPlain = way === 'direct' || version === '1.1'
    const port = way === 'direct' ? application : isPlain ? box.settings.httpPort : box.settings.httpsPort
    const end = isPlain
      ? beginHttp1({ port, host: this.authority }, { ...asking, headers: { ...asking.headers, ...this.forwarded } })
      : (version === '2' ? beginHttp2 : beginHttp3)({ port, host }, asking)
    await until('the first part of an upload', arrived)
    end()
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const hasBody = body.length > 0 || request.headers['content-length'] !== undefined
    const answer = await this.ask({
      method: request.method!,
      path: request.url!,
      headers: headersOf(request),
      ...(hasBody && { body }),
    })
    // The client knows the application only by this address.
    const own = new RegExp(`^https?://${this.authority}`)
    const lines = answer.lines
      .filter(([name]) => !ofConnection.includes(name))
      .map(([name, value]) => [name, name === 'location' ? value.replace(own, this.url) : value])
    response.writeHead(answer.status, lines.flat())
    response.end(request.method === 'HEAD' ? undefined : answer.body)
  }

  /**
   * WebSockets always use HTTP/1.1: the bytes are passed through unchanged after a head with the application's host.
   */
  private tunnel(request: IncomingMessage, socket: Socket, head: Buffer): void {
    const target = connect(
      this.facts.way === 'direct' ? this.facts.application : this.facts.box.settings.httpPort,
      '127.0.0.1',
    )
    for (const one of [socket, target]) {
      this.sockets.add(one)
      one.on('error', () => one.destroy())
      one.on('close', () => {
        socket.destroy()
        target.destroy()
      })
    }
    let first = ''
    target.on('data', (data: Buffer) => {
      if (first.includes('\r\n\r\n')) return
      first += data.toString('latin1')
      if (first.includes('\r\n\r\n')) this.handshakes.push(handshakeOf(first))
    })
    const lines = []
    for (let i = 0; i < request.rawHeaders.length; i += 2) {
      const [name, value] = [request.rawHeaders[i]!, request.rawHeaders[i + 1]!]
      if (name.toLowerCase() !== 'host') lines.push(`${name}: ${value}`)
    }
    target.write(`GET ${request.url} HTTP/1.1\r\nHost: ${this.authority}\r\n${lines.join('\r\n')}\r\n\r\n`)
    target.write(head)
    socket.pipe(target).pipe(socket)
  }

  async end(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers))
    if (!ofConnection.includes(name) && value !== undefined)
      headers[name] = Array.isArray(value) ? value.join(', ') : value
  return headers
}

/**
 * Status and header lines, sorted, without Sec-WebSocket-Accept, which differs each time, and the edge's own headers.
 */
function handshakeOf(text: string): string {
  const [status, ...lines] = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n')
  const ofEdge = /^(x-cache|x-request-id|server|date|sec-websocket-accept):/i
  const kept = lines
    .filter((line) => !ofEdge.test(line))
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
  return [status!.replace(/^(HTTP\/1\.1 \d+).*/, '$1'), ...kept.sort()].join('\n').toLowerCase()
}

function beginHttp1({ port, host }: Place, { method, path, headers, body }: Asking): () => void {
  const socket = connect(port, '127.0.0.1')
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`)
  socket.write(body!)
  return () => socket.destroy()
}

function beginHttp2({ port, host }: Place, { method, path, headers, body }: Asking): () => void {
  const options = { host: '127.0.0.1', port, servername: host, rejectUnauthorized: false }
  const session = connectHttp2(`https://${host}:${port}`, options)
  const stream = session.request({ ':method': method!, ':path': path, ...headers })
  // It is cut on purpose.
  stream.on('error', () => {})
  stream.write(body!)
  return () => session.destroy()
}
