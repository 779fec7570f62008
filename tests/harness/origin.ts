/** A stub origin that records its requests, and responds as the test defines. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Origin = {
  port: number
  requests: { method: string; url: string; headers: Record<string, string | string[] | undefined> }[]
  stop: () => Promise<void>
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const hello: Answer = (request, response) => {
  response
    .writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'public, max-age=60' })
    .end(`origin says ${request.url}`)
}

export async function startOrigin(answer: Answer = hello): Promise<Origin> {
  const requests: Origin['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers })
    answer(request, response)
  })
  // The edge reuses connections: one that the origin closes by itself might close just as the edge sends a request on
  // it.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
