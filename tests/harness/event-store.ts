/** Queries a product's event store, bypassing its API: what is stored, row by row. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rowColumns } from '@breakwater/contract/edge/row-lines.ts'
import type { Product } from './product.ts'

const [idAt, timeAt] = [rowColumns.indexOf('requestId') + 1, rowColumns.indexOf('time') + 1]

/** Returns the rows of a SELECT. */
export async function askEvents<Row>(product: Product, query: string): Promise<Row[]> {
  const read = (...path: string[]) => readFileSync(join(product.dataFolder, ...path), 'utf8').trim()
  const headers = { 'x-clickhouse-user': 'breakwater', 'x-clickhouse-key': read('secrets', 'clickhouse') }
  const url = `http://127.0.0.1:${read('clickhouse', 'port')}/`
  const reply = await fetch(url, { method: 'POST', headers, body: `${query} FORMAT JSONEachRow` })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`the event store answered ${reply.status} ${text}`)
  const lines = text.trim().split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row)
}

const rollups = ['requests_per_minute_v1', 'requests_per_five_minutes_v1', 'requests_per_hour_v1']

/**
 * The total number of requests according to the raw rows and each rollup: all the same number if all is well. `rows`
 * counts no request twice.
 */
export async function sumsOfEvents(product: Product): Promise<{ rows: number; requests: number[] }> {
  const [raw] = await askEvents<{ rows: string; requests: string }>(
    product,
    'SELECT uniqExact(requestId) AS rows, sum(weight) AS requests FROM requests_raw_v1',
  )
  const sums = await Promise.all(
    rollups.map((table) => askEvents<{ requests: string }>(product, `SELECT sum(requests) AS requests FROM ${table}`)),
  )
  const requests = [raw?.requests, ...sums.map(([row]) => row?.requests)].map(Number)
  return { rows: Number(raw?.rows), requests }
}

/** Why not all rows are stored yet: how many nginx wrote, which of them are missing, and what the agent is doing. */
export async function whereRowsAre(product: Product): Promise<string> {
  const stored = await askEvents<{ requestId: string }>(product, 'SELECT requestId FROM requests_raw_v1')
  const ids = new Set(stored.map(({ requestId }) => requestId))
  const spool = join(product.dataFolder, 'node/spool')
  const read = (path: string) => readFileSync(path, 'latin1')
  const logs = readdirSync(spool).filter((name) => name.startsWith('requests'))
  const lines = logs.flatMap((name) => read(join(spool, name)).split('\n').slice(0, -1))
  const written = new Map(lines.map((line) => line.split('\t')).map((values) => [values[idAt], values[timeAt]]))
  const missing = [...written].filter(([id]) => !ids.has(id ?? '')).map(([, time]) => Number(time))
  const [from, to] = [Math.min(...missing), Math.max(...missing)]
  const agent = read(join(product.dataFolder, 'node/agent/uploads.json'))
  const errors = read(join(spool, 'error.log')).slice(-2000)
  return `nginx wrote ${lines.length} lines of ${written.size} requests, ${missing.length} not stored, of ${from} to ${to}; ${ids.size} are stored; at ${Date.now()} the agent has ${agent}; nginx says ${errors}`
}
