/** Inserts rows into a product's log as if a node had uploaded them, with their counters: requests of the past. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from './product.ts'

/** Columns of the row table; missing ones default to those of a plain request that passed. */
export type LoggedRow = { site: number; time: number; path: string; address: string } & Record<string, unknown>

type Store = Pick<Product, 'dataFolder'>

export async function logRows(product: Store, rows: LoggedRow[]): Promise<void> {
  const whole = rows.map((row) => ({ ...plain, ...row }))
  const stored = whole.map((row) => ({ ...row, time: momentOf(row.time) }))
  await insert(product, 'requests_raw_v1', stored)
  const boot = randomBytes(8).toString('hex')
  const counters = whole.map(({ time, weight, ...row }, i) => ({
    ...Object.fromEntries(counted.map((name) => [name, row[name as keyof typeof row]])),
    minute: Math.floor(time / 60) * 60,
    boot,
    sequence: i + 1,
    requests: weight,
    bytesSent: row.bytesSent * weight,
    bytesReceived: row.bytesReceived * weight,
    originRequests: row.originStatus > 0 ? weight : 0,
  }))
  await insert(product, 'counters_per_minute_v1', counters)
}

const counted = ['node', 'zone', 'site', 'status', 'cause', 'cache', 'action']
const momentOf = (time: number) => new Date(time * 1000).toISOString().replace('T', ' ').replace('Z', '')

async function insert(product: Store, table: string, rows: object[]): Promise<void> {
  const read = (...path: string[]) => readFileSync(join(product.dataFolder, ...path), 'utf8').trim()
  const url = new URL(`http://127.0.0.1:${read('clickhouse', 'port')}/`)
  url.searchParams.set('query', `INSERT INTO ${table} FORMAT JSONEachRow`)
  const lines = rows.map((row) => JSON.stringify(row))
  const headers = { 'x-clickhouse-user': 'breakwater', 'x-clickhouse-key': read('secrets', 'clickhouse') }
  const reply = await fetch(url, { method: 'POST', headers, body: lines.join('\n') })
  if (!reply.ok) throw new Error(`the event store answered ${reply.status} ${await reply.text()}`)
}

const plain = {
  node: 1,
  zone: 1,
  revision: 1,
  requestId: 'seeded',
  domain: 'shop.example.com',
  country: 'TW',
  method: 'GET',
  scheme: 'https',
  httpVersion: '2',
  query: '',
  status: 200,
  cause: 0,
  guard: '',
  rule: 0,
  action: 'pass',
  cache: 'MISS',
  route: 'cached',
  bytesSent: 1_000,
  bytesReceived: 300,
  requestTime: 10,
  originTime: 8,
  originAddress: '127.0.0.1:80',
  originStatus: 200,
  referer: '',
  userAgent: 'walker/1.0',
  contentType: 'text/html',
  weight: 1,
}
