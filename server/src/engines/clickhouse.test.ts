import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { startClickHouse } from './clickhouse.ts'
import type { Engine } from './engine.ts'
import { identifyProcess, isRunning } from './process-identity.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))
let engine: Engine
let client: ReturnType<typeof createClient>

async function start() {
  const startedMs = performance.now()
  engine = await startClickHouse({ dataFolder, memoryMaxBytes: 1e9 })
  console.log(`ClickHouse started in ${Math.round(performance.now() - startedMs)} ms`)
  client = createClient({ url: engine.url, log: { level: ClickHouseLogLevel.OFF } })
}

async function rows(
  query: string,
  options: { query_params?: Record<string, unknown>; clickhouse_settings?: ClickHouseSettings } = {},
) {
  return (await client.query({ query, format: 'JSONEachRow', ...options })).json()
}

/** A request without the client library, as the ingest sends it: the rows pass through unchanged. */
async function post(query: string, body: Uint8Array<ArrayBuffer> | string, headers: Record<string, string> = {}) {
  const { origin, username, password } = new URL(engine.url)
  const authorization = `Basic ${btoa(`${username}:${password}`)}`
  const response = await fetch(`${origin}/?query=${encodeURIComponent(query)}`, {
    method: 'POST',
    body,
    headers: { authorization, ...headers },
  })
  return {
    status: response.status,
    code: response.headers.get('x-clickhouse-exception-code'),
    text: await response.text(),
  }
}

beforeAll(start)

afterAll(async () => {
  await client.close()
  await engine.stop()
  rmSync(dataFolder, { recursive: true, force: true })
})

beforeEach(async () => {
  await client.command({
    query: `CREATE TABLE seen (id UInt64, name String) ENGINE = MergeTree ORDER BY id
            SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, non_replicated_deduplication_window = 100`,
  })
})

afterEach(() => client.command({ query: 'DROP TABLE seen' }))

test('acknowledged rows survive a kill of the engine, and its URL stays the same', async () => {
  const { url, pid, exited } = engine
  await client.insert({ table: 'seen', values: [{ id: 1 }, { id: 2 }], format: 'JSONEachRow' })
  process.kill(pid, 'SIGKILL')
  expect(await exited).toContain('SIGKILL')
  await start()
  expect(engine.url).toBe(url)
  expect(await rows('SELECT id FROM seen ORDER BY id')).toEqual([{ id: '1' }, { id: '2' }])
})

test('an engine left behind by an earlier run is stopped and its folder taken over', async () => {
  const orphan = engine
  await start()
  expect(await orphan.exited).toContain('code 0')
  expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('the engine ends when the process that started it is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))
  const launcher = new URL('./clickhouse.ts', import.meta.url)
  const script = `const { startClickHouse } = await import(${JSON.stringify(launcher)})
    console.log((await startClickHouse({ dataFolder: ${JSON.stringify(folder)} })).pid)`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const identity = identifyProcess(Number(line.toString()))
  expect(identity).toBeDefined()
  parent.kill('SIGKILL')
  await vi.waitUntil(() => !isRunning(identity!))
  rmSync(folder, { recursive: true })
})

test('if somebody else took the port in the meantime, a free one is used', async () => {
  const port = Number(new URL(engine.url).port)
  await engine.stop()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  await start()
  other.close()
  expect(new URL(engine.url).port).not.toBe(String(port))
  expect(readFileSync(join(dataFolder, 'clickhouse/port'), 'utf8')).toBe(new URL(engine.url).port)
  expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a setting of one query does not affect the next', async () => {
  const two = 'SELECT number FROM numbers(2)'
  await expect(rows(two, { clickhouse_settings: { max_result_rows: '1' } })).rejects.toMatchObject({ code: '396' })
  expect(await rows(two)).toHaveLength(2)
})

test('parameters arrive unchanged, whatever they contain, even from many concurrent queries', async () => {
  const query_params = {
    text: `a'b\n\t\\ é😀`,
    list: [`q'`, '\\'],
    none: null,
    digits: '007',
    big: '18446744073709551615',
  }
  const query =
    'SELECT {text:String} AS text, {list:Array(String)} AS list, {none:Nullable(String)} AS none, {digits:String} AS digits, {big:UInt64} AS big'
  expect(await rows(query, { query_params })).toEqual([query_params])
  const many = Array.from({ length: 40 }, (_, id) => rows('SELECT {id:UInt32} AS id', { query_params: { id } }))
  expect((await Promise.all(many)).flat()).toEqual(Array.from({ length: 40 }, (_, id) => ({ id })))
})

test('a long query blocks neither a short one nor an insert', async () => {
  const order: string[] = []
  // Longer than the other queries take on a busy machine.
  const long = rows('SELECT sleepEachRow(1) FROM numbers(10) SETTINGS max_block_size = 1').then(() =>
    order.push('long'),
  )
  await rows('SELECT 1').then(() => order.push('short'))
  await client.insert({ table: 'seen', values: [{ id: 1 }], format: 'JSONEachRow' }).then(() => order.push('insert'))
  await long
  expect(order).toEqual(['short', 'insert', 'long'])
})

test('rows are accepted plain, as gzip, zstd and CSV, with a column list over several lines', async () => {
  const line = (id: number) => Buffer.from(`{"id":${id},"name":"é"}\n`)
  await post('INSERT INTO seen FORMAT JSONEachRow', line(1))
  await post('INSERT INTO seen (id,\n name)\nFORMAT JSONEachRow', gzipSync(line(2)), { 'content-encoding': 'gzip' })
  await post(
    'INSERT INTO `default`.`seen` SETTINGS max_insert_threads = 1 FORMAT JSONEachRow',
    zstdCompressSync(line(3)),
    {
      'content-encoding': 'zstd',
    },
  )
  await post('INSERT INTO seen FORMAT CSV', '4,é\n')
  await post('INSERT INTO seen VALUES', "(5, 'é')")
  expect(await rows('SELECT id, name FROM seen ORDER BY id')).toEqual(
    ['1', '2', '3', '4', '5'].map((id) => ({ id, name: 'é' })),
  )
})

test('rows can be exported and imported in the Native format, including aggregate states', async () => {
  await client.command({
    query:
      'create table if not exists states (k UInt8, s AggregateFunction(uniq, UInt32)) engine = MergeTree order by k',
  })
  await client.command({ query: 'create table if not exists states_again as states' })
  await client.command({ query: 'insert into states select 1, uniqState(toUInt32(number)) from numbers(1000)' })
  const { stream } = await client.exec({ query: 'select * from states format Native' })
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  expect((await post('insert into states_again format Native', Buffer.concat(chunks))).status).toBe(200)
  const answer = await client.query({ query: 'select uniqMerge(s) as n from states_again', format: 'JSONEachRow' })
  expect(await answer.json()).toEqual([{ n: '1000' }])
})

test('rows can be transformed on insert with input()', async () => {
  const query = `INSERT INTO seen (id, name) SELECT id * 2, upper(name) FROM input('id UInt64, name String') WHERE id > 1 FORMAT JSONEachRow`
  expect(await post(query, '{"id":1,"name":"a"}\n{"id":2,"name":"b"}\n')).toMatchObject({ status: 200 })
  expect(await rows('SELECT * FROM seen')).toEqual([{ id: '4', name: 'B' }])
})

test('a batch sent again with the same token is stored once', async () => {
  for (const id of [1, 2]) {
    const clickhouse_settings = { insert_deduplication_token: 'node 1, boot 1, batch 1' }
    await client.insert({ table: 'seen', values: [{ id }], format: 'JSONEachRow', clickhouse_settings })
  }
  expect(await rows('SELECT id FROM seen')).toEqual([{ id: '1' }])
})

test('an error carries ClickHouse’s code, and one bad line rejects the whole batch', async () => {
  await expect(rows('SELECT * FROM nowhere')).rejects.toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' })
  await expect(rows('SELEC 1')).rejects.toMatchObject({ code: '62' })
  expect(await post('SELECT 1; SELECT 2', '')).toMatchObject({ status: 400, code: '62' })
  expect(await post('INSERT INTO seen FORMAT JSONEachRow', '{"id":1}\n{"id":"x"}\n')).toMatchObject({ status: 400 })
  const bad = await post('INSERT INTO seen FORMAT JSONEachRow', 'no gzip', { 'content-encoding': 'gzip' })
  expect(bad).toMatchObject({ status: 400, code: '354' })
  expect(await rows('SELECT * FROM seen')).toEqual([])
})

test('a query that needs more memory than available fails alone', async () => {
  const greedy = rows('SELECT length(groupArray(toString(number))) FROM numbers(50000000)')
  await expect(greedy).rejects.toMatchObject({ type: 'MEMORY_LIMIT_EXCEEDED' })
  expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('a wrong password is refused; a ping needs none', async () => {
  const wrong = { authorization: `Basic ${btoa('breakwater:wrong')}` }
  expect(await post('SELECT 1', '', wrong)).toMatchObject({ status: 403, code: '516' })
  expect(await client.ping()).toEqual({ success: true })
})
