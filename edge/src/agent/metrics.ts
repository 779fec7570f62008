/** This node's metrics for Prometheus, served on loopback only. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type EdgeTotals, vitalsText } from '@breakwater/contract/edge/metrics.ts'
import { log, reasonOf } from './log.ts'
import type { Nginx } from './nginx.ts'

export async function nodeMetrics(name: string, nginx: Pick<Nginx, 'state'>, totals: EdgeTotals): Promise<string> {
  const state = await nginx.state().catch(() => undefined)
  const node = { node: name, isUp: state !== undefined, connections: state?.connections ?? 0, vitals: state?.vitals }
  return vitalsText([node]) + totals.text(() => name)
}

/** Serves `GET /metrics` on this port of 127.0.0.1 until the signal is aborted. If the port is in use, only logs it. */
export async function serveMetrics(port: number, text: () => Promise<string>, signal: AbortSignal): Promise<void> {
  if (port === 0) return
  const server = createServer(async (request, response) => {
    const isThere = request.method === 'GET' && request.url === '/metrics'
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(isThere ? await text() : '')
  })
  server.on('error', (error) => log.error('metrics are not served', { port, reason: reasonOf(error) }))
  server.listen(port, '127.0.0.1')
  if (!signal.aborted) await once(signal, 'abort')
  server.close()
}
