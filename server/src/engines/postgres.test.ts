import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Engine } from './engine.ts'
import { startPostgres } from './postgres.ts'

let dataFolder: string
const started: Engine[] = []

beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))
})

afterEach(async () => {
  await Promise.all(started.splice(0).map((engine) => engine.stop()))
  rmSync(dataFolder, { recursive: true, force: true })
})

async function start(folder = dataFolder, durable = false) {
  const startedMs = performance.now()
  const engine = await startPostgres({ dataFolder: folder, durable })
  console.log(`PostgreSQL started in ${Math.round(performance.now() - startedMs)} ms`)
  started.push(engine)
  return engine
}

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('committed data survives a kill of the server, and its URL stays the same', async () => {
  const first = await start(dataFolder, true)
  await ask(first.url, 'create table kept (id int); insert into kept values (1), (2)')
  process.kill(first.pid, 'SIGKILL')
  expect(await first.exited).toContain('SIGKILL')
  const second = await start(dataFolder, true)
  expect(second.url).toBe(first.url)
  expect(await ask(second.url, 'select id from kept order by id')).toEqual([{ id: 1 }, { id: 2 }])
})

test('a server left behind by an earlier run is stopped and its cluster taken over', async () => {
  const orphan = await start()
  const next = await start()
  expect(await orphan.exited).toContain('code 0')
  expect(await ask(next.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a stale pid file with another process’s pid neither blocks the start nor kills that process', async () => {
  const first = await start()
  await first.stop()
  writeFileSync(join(dataFolder, 'postgres/cluster/postmaster.pid'), `${process.pid}\n/elsewhere\n1\n5432\n`)
  const second = await start()
  expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a wrong password is refused, even on the socket', async () => {
  const { url } = await start()
  const wrong = url.replace(/:[^:@]+@/, ':wrong-password@')
  await expect(ask(wrong, 'select 1')).rejects.toThrow(/password authentication failed/)
})

test('our role can create databases and roles, but is not a superuser', async () => {
  const { url } = await start()
  const sql = 'select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user'
  expect(await ask(url, sql)).toEqual([{ rolsuper: false, rolcreatedb: true, rolcreaterole: true }])
})

test('a data folder whose path is too long for a socket works', async () => {
  const long = join(dataFolder, 'a-rather-long-name'.repeat(6))
  mkdirSync(long)
  const { url } = await start(long)
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a data folder below one that other users cannot enter works', async () => {
  const closed = join(dataFolder, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0o700)
  const { url } = await start(join(closed, 'data'))
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a cluster of a major version that is not installed is refused, with advice', async () => {
  const first = await start()
  await first.stop()
  writeFileSync(join(dataFolder, 'postgres/cluster/PG_VERSION'), '9\n')
  await expect(start()).rejects.toThrow(/PostgreSQL 9.*postgresql-9/)
})
