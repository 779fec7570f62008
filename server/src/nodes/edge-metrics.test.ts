import { readFileSync } from 'node:fs'
import { EdgeTotals, metricSitesMax } from '@breakwater/contract/edge/metrics.ts'
import { latencySteps } from '@breakwater/contract/edge/node-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeIngest } from '../events/ingest.ts'
import { makeCounter, ndjson } from '../events/testing/make-rows.ts'
import { type LogServer, startLogServer } from '../logs/testing/log-server.ts'
import { edgeMetrics } from './edge-metrics.ts'

let server: LogServer
const totals = new EdgeTotals()
let sequence = 0

beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())

async function uploadCounters(rows: Parameters<typeof makeCounter>[0][]): Promise<void> {
  const ingest = makeIngest(server.services.database.db, server.services.events, totals)
  const batch = { kind: 'counters' as const, boot: 'fedcba9876543210', sequence: ++sequence, rows: rows.length }
  const { nodeId: node, zoneId: zone } = server.node
  const body = ndjson(rows.map((row) => makeCounter({ node, zone, site: server.mine.site, ...row })))
  await ingest(server.node, batch, '', body)
  // A batch whose receipt was lost is sent again.
  await ingest(server.node, batch, '', body)
}
const text = () => edgeMetrics(server.services.database.db, totals)
const seriesOf = async (series: string) => {
  const line = (await text()).split('\n').find((one) => one.startsWith(`${series} `))
  return line && Number(line.split(' ').at(-1))
}

test('requests, 5xx and cache states are summed by node and by site, each batch once', async () => {
  await uploadCounters([
    { status: 200, cache: 'HIT', requests: 30, bytesSent: 3000, originRequests: 0 },
    { status: 200, cache: 'MISS', requests: 9, bytesSent: 900, originRequests: 9 },
    { status: 502, cache: 'MISS', requests: 1, bytesSent: 100, originRequests: 1 },
  ])
  const { site } = server.mine
  const seen = {
    ok: await seriesOf('breakwater_edge_responses_total{node="edge-1",class="2xx"}'),
    failed: await seriesOf('breakwater_edge_responses_total{node="edge-1",class="5xx"}'),
    hits: await seriesOf('breakwater_edge_cache_total{node="edge-1",state="hit"}'),
    misses: await seriesOf('breakwater_edge_cache_total{node="edge-1",state="miss"}'),
    bytes: await seriesOf('breakwater_edge_sent_bytes_total{node="edge-1"}'),
    siteRequests: await seriesOf(`breakwater_edge_site_requests_total{site="${site}"}`),
    siteFailures: await seriesOf(`breakwater_edge_site_failures_total{site="${site}"}`),
    siteHits: await seriesOf(`breakwater_edge_site_hits_total{site="${site}"}`),
    siteOrigin: await seriesOf(`breakwater_edge_site_origin_requests_total{site="${site}"}`),
  }
  expect(seen).toEqual({
    ...{ ok: 39, failed: 1, hits: 30, misses: 10, bytes: 4000 },
    ...{ siteRequests: 40, siteFailures: 1, siteHits: 30, siteOrigin: 10 },
  })
})

test('a node is up while it reports, with its connections and the latency of its origins', async () => {
  const { pool } = server.services.database
  const counts = [...latencySteps.map((_, i) => (i < 2 ? 5 : 0)), 1]
  const vitals = { requests: 11, failures: 0, errors: 0, crashes: 0, latency: counts, milliseconds: 9000 }
  const health = { connections: 7, vitals: { ...vitals, origin: { counts, milliseconds: 8000 } } }
  await pool.query('update nodes set last_seen_at = now(), health = $1 where id = $2', [health, server.node.nodeId])
  expect(await seriesOf('breakwater_edge_node_up{node="edge-1"}')).toBe(1)
  expect(await seriesOf('breakwater_edge_connections{node="edge-1"}')).toBe(7)
  expect(await seriesOf('breakwater_edge_origin_seconds_bucket{node="edge-1",le="0.002"}')).toBe(10)
  expect(await seriesOf('breakwater_edge_origin_seconds_bucket{node="edge-1",le="+Inf"}')).toBe(11)
  expect(await seriesOf('breakwater_edge_origin_seconds_sum{node="edge-1"}')).toBe(8)
  expect(await seriesOf('breakwater_edge_answer_seconds_count{node="edge-1"}')).toBe(11)
  await pool.query(`update nodes set last_seen_at = now() - interval '1 minute'`)
  expect(await seriesOf('breakwater_edge_node_up{node="edge-1"}')).toBe(0)
})

test('of ten thousand sites the busiest are listed and the others summed', () => {
  const many = new EdgeTotals()
  for (let site = 1; site <= 10_000; site++) many.add(makeCounter({ site, requests: site }))
  const lines = many
    .text(String)
    .split('\n')
    .filter((line) => line.startsWith('breakwater_edge_site_requests_total{'))
  expect(lines).toHaveLength(metricSitesMax + 1)
  const sum = lines.reduce((all, line) => all + Number(line.split(' ').at(-1)), 0)
  expect(sum).toBe((10_000 * 10_001) / 2)
})

test('the dashboard uses only metrics that the edge exports', async () => {
  const board = readFileSync(new URL('../../../deploy/grafana/edge.json', import.meta.url), 'utf8')
  const told = await text()
  const asked = new Set(Array.from(board.matchAll(/breakwater_edge_\w+/g), ([name]) => name))
  expect(asked.size).toBeGreaterThan(8)
  for (const name of asked) expect(told, name).toContain(`# TYPE ${name.replace(/_bucket$/, '')} `)
})
