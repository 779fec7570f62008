/**
 * The edge's metrics for Prometheus. An agent exposes those of its node, the node API those of all nodes: the same
 * names, from the same exact counters. Sums start at zero with the process that exposes them.
 */
import type { CounterRow } from './events.ts'
import { latencySteps, type Vitals } from './node-api.ts'

type Labels = Record<string, string | number>
type Sums = { requests: number; failures: number; hits: number; bytes: number; origin: number }

/** The cache states of nginx that count as hits. */
const hitStates = ['HIT', 'STALE', 'REVALIDATED', 'UPDATING']
/** The most sites listed one by one; all others are summed up as `other`. */
export const metricSitesMax = 100

const nothing = (): Sums => ({ requests: 0, failures: 0, hits: 0, bytes: 0, origin: 0 })

/** Sums counters by node, with status class and cache state, and by site. */
export class EdgeTotals {
  private readonly responses = new Map<number, Map<string, number>>()
  private readonly caches = new Map<number, Map<string, number>>()
  private readonly bytes = new Map<number, number>()
  private readonly sites = new Map<number, Sums>()

  add({ node, site, status, cache, requests, bytesSent, originRequests }: CounterRow): void {
    addTo(this.responses, node, `${Math.floor(status / 100)}xx`, requests)
    addTo(this.caches, node, cache === '' ? 'none' : cache.toLowerCase(), requests)
    this.bytes.set(node, (this.bytes.get(node) ?? 0) + bytesSent)
    if (site === 0) return
    const sums = this.sites.get(site) ?? nothing()
    this.sites.set(site, sums)
    sums.requests += requests
    if (status >= 500) sums.failures += requests
    if (hitStates.includes(cache)) sums.hits += requests
    sums.bytes += bytesSent
    sums.origin += originRequests
  }

  /** These sums in the Prometheus text format. `nameOf` returns a node's name. */
  text(nameOf: (node: number) => string): string {
    const byNode = (table: Map<number, Map<string, number>>, label: string) =>
      [...table].flatMap(([node, values]) =>
        [...values].map(([value, sum]): Sample => [{ node: nameOf(node), [label]: value }, sum]),
      )
    const sites = this.topSites()
    const ofSites = (field: keyof Sums) => sites.map(([site, sums]): Sample => [{ site }, sums[field]])
    return [
      metric('responses_total', 'Answers by class of status. 5xx are failures.', byNode(this.responses, 'class')),
      metric('cache_total', 'Answers by what the cache did.', byNode(this.caches, 'state')),
      metric(
        'sent_bytes_total',
        'Bytes sent to visitors.',
        [...this.bytes].map(([node, sum]) => [{ node: nameOf(node) }, sum]),
      ),
      metric('site_requests_total', 'Requests of the busiest sites.', ofSites('requests')),
      metric('site_failures_total', 'Answers of 500 and above.', ofSites('failures')),
      metric('site_hits_total', 'Requests answered from the cache.', ofSites('hits')),
      metric('site_sent_bytes_total', 'Bytes sent to visitors.', ofSites('bytes')),
      metric('site_origin_requests_total', 'Requests that asked an origin.', ofSites('origin')),
    ].join('')
  }

  /** The busiest sites by id, and the sum of all others. */
  private topSites(): [number | string, Sums][] {
    const sorted = [...this.sites].sort(([, a], [, b]) => b.requests - a.requests)
    const others = nothing()
    for (const [, sums] of sorted.slice(metricSitesMax))
      for (const field of Object.keys(others) as (keyof Sums)[]) others[field] += sums[field]
    const top: [number | string, Sums][] = sorted.slice(0, metricSitesMax)
    return sorted.length > metricSitesMax ? [...top, ['other', others]] : top
  }
}

export type NodeVitals = { node: string; isUp: boolean; connections: number; vitals?: Vitals | undefined }

/** Whether nodes are up, how long their responses take, and how long their origins do. */
export function vitalsText(nodes: NodeVitals[]): string {
  const gauge = (read: (node: NodeVitals) => number) => nodes.map((node): Sample => [{ node: node.node }, read(node)])
  const histogram = (read: (vitals: Vitals) => { counts: number[]; seconds: number } | undefined) =>
    nodes.flatMap(({ node, vitals }) => {
      const of = vitals && read(vitals)
      return of ? bucketsOf(node, of.counts, of.seconds) : []
    })
  return [
    metric(
      'node_up',
      '1 while the node reports.',
      gauge(({ isUp }) => (isUp ? 1 : 0)),
      'gauge',
    ),
    metric(
      'connections',
      'Open connections.',
      gauge(({ connections }) => connections),
      'gauge',
    ),
    metric(
      'origin_seconds',
      'How long origins took to answer.',
      histogram(({ origin }) => origin && { counts: origin.counts, seconds: origin.milliseconds / 1000 }),
      'histogram',
    ),
    metric(
      'answer_seconds',
      'How long answers took, from the first byte of the request to the last of the answer.',
      histogram(({ latency, milliseconds }) =>
        milliseconds === undefined ? undefined : { counts: latency, seconds: milliseconds / 1000 },
      ),
      'histogram',
    ),
  ].join('')
}

/** Labels and value, and a suffix of the name if it has one. */
type Sample = [Labels, number, string?]

function bucketsOf(node: string, counts: number[], seconds: number): Sample[] {
  let sum = 0
  const buckets = counts.map((count, i): Sample => {
    sum += count
    const step = latencySteps[i]
    return [{ node, le: step === undefined ? '+Inf' : step / 1000 }, sum, '_bucket']
  })
  return [...buckets, [{ node }, seconds, '_sum'], [{ node }, sum, '_count']]
}

const escaped = (value: string | number): string =>
  String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function metric(
  name: string,
  help: string,
  samples: Sample[],
  type: 'counter' | 'gauge' | 'histogram' = 'counter',
): string {
  const full = `breakwater_edge_${name}`
  const lines = samples.map(([labels, value, suffix = '']) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
    return `${full}${suffix}{${pairs.join(',')}} ${value}\n`
  })
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`
}

function addTo(table: Map<number, Map<string, number>>, node: number, key: string, more: number): void {
  const values = table.get(node) ?? new Map<string, number>()
  table.set(node, values)
  values.set(key, (values.get(key) ?? 0) + more)
}
