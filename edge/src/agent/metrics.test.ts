import { networkInterfaces } from 'node:os'
import { EdgeTotals } from '@breakwater/contract/edge/metrics.ts'
import { expect, test } from 'vitest'
import { freePort } from '../../../tests/harness/ports.ts'
import { until } from '../../box/harness.ts'
import { nodeMetrics, serveMetrics } from './metrics.ts'

test('a node serves its metrics on loopback only, until it stops', async () => {
  const port = await freePort()
  const stop = new AbortController()
  const totals = new EdgeTotals()
  const row = {
    minute: 0,
    node: 7,
    zone: 1,
    site: 3,
    status: 200,
    cause: 0,
    cache: 'HIT',
    action: 'pass',
    bytesReceived: 1,
  }
  totals.add({ ...row, requests: 4, bytesSent: 9, originRequests: 0 })
  const away = { state: () => Promise.reject(new Error('nginx is away')) }
  const ended = serveMetrics(port, () => nodeMetrics('edge "one"', away, totals), stop.signal)
  const answer = () => fetch(`http://127.0.0.1:${port}/metrics`)
  await until('the port answers', () => answer().then(Boolean, () => false))
  const text = await (await answer()).text()
  expect(text).toContain('breakwater_edge_node_up{node="edge \\"one\\""} 0\n')
  expect(text).toContain('breakwater_edge_cache_total{node="edge \\"one\\"",state="hit"} 4\n')
  expect(text).toContain('breakwater_edge_site_requests_total{site="3"} 4\n')
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  const outer = Object.values(networkInterfaces()).flat()
  const other = outer.find((one) => one?.family === 'IPv4' && !one.internal)?.address
  if (other) await expect(fetch(`http://${other}:${port}/metrics`)).rejects.toThrow()
  stop.abort()
  await ended
  await until('the port is closed', () =>
    answer().then(
      () => false,
      () => true,
    ),
  )
})
