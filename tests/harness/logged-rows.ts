/** Rows put into a product's log as if a node had shipped them: requests of a time that is over. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Product } from './product.ts'

/** Columns of the table of rows; what is not said is that of a plain request that passed. */
export type LoggedRow = { site: number; time: number; path: string; address: string } & Record<string, unknown>

export async function logRows(product: Product, rows: LoggedRow[]): Promise<void> {
  const read = (...path: string[]) => readFileSync(join(product.dataFolder, ...path), 'utf8').trim()
  const url = new URL(`http://127.0.0.1:${read('clickhouse', 'port')}/`)
  url.searchParams.set('query', 'INSERT INTO requests_raw_v1 FORMAT JSONEachRow')
  const lines = rows.map(({ time, ...row }) =>
    JSON.stringify({ ...plain, ...row, time: new Date(time * 1000).toISOString().replace('T', ' ').replace('Z', '') }),
  )
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
