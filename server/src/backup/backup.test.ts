import { createHash } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { verifyAudit } from '../audit/verify.ts'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { tablesOfDays } from '../events/close-days.ts'
import { openEvents, queryRows } from '../events/store.ts'
import { databaseOf } from '../testing/global-setup.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { BackupError } from './archive.ts'
import { backup, backupPassphrase, moveData, restore, verifyBackup } from './backup.ts'

const passphrase = 'correct horse battery'
let server: TestServer
let customer: TokenSet
let folder: string
let file: string

beforeAll(async () => {
  server = await makeTestServer()
  customer = await server.signIn('user', 'customer')
  const site = await server.makeSite(customer, 'kept')
  const rule = { urlRegex: '^/a\\tb', rate: 3, burst: 9, memo: 'a\\b\t"ü' }
  await server.call('POST', `/user/site/${site}/firewall/l7/secondRates`, { as: customer, body: rule })
  const rows = Array.from({ length: 4000 }, (_, index) => ({
    time: `2026-11-${String(1 + (index % 20)).padStart(2, '0')} 10:00:00.000`,
    site,
    path: `/page/${index % 7}`,
    status: 200,
    weight: 1,
  }))
  await server.services.events.insert({ table: 'requests_raw_v1', values: rows, format: 'JSONEachRow' })
  folder = mkdtempSync(join(tmpdir(), 'breakwater-backup-'))
  writeFileSync(join(server.services.env.dataFolder, 'keys', 'master.key'), 'the key')
  file = join(folder, 'all.age')
  await backup(source(), file, passphrase)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const source = () => ({
  dataFolder: server.services.env.dataFolder,
  databaseUrl: server.services.env.databaseUrl,
  events: server.services.events,
})

/** Empty stores and an empty data folder. */
async function emptyTarget() {
  const name = `r_${createHash('sha256').update(String(Math.random())).digest('hex').slice(0, 12)}`
  const admin = new pg.Client({ connectionString: inject('databaseUrl') })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const root = openEvents(inject('clickhouseUrl'))
  await root.command({ query: `create database ${name}` })
  await root.close()
  const clickhouseUrl = new URL(inject('clickhouseUrl'))
  clickhouseUrl.pathname = `/${name}`
  return {
    dataFolder: mkdtempSync(join(folder, 'data-')),
    databaseUrl: databaseOf(inject('databaseUrl'), name),
    clickhouseUrl: clickhouseUrl.href,
    events: openEvents(clickhouseUrl.href),
  }
}

/** One hash for each table of a store, to compare two stores byte by byte. Each server has its own login. */
async function relationalHashes(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
     and relname <> 'tenant_login' order by 1`,
  )
  const hashes: Record<string, string> = {}
  for (const { name } of rows) {
    const all = await client.query(
      `select coalesce(string_agg(t::text, chr(10) order by t::text), '') as text from "${name}" t`,
    )
    hashes[name] = createHash('sha256').update(all.rows[0].text).digest('hex')
  }
  await client.end()
  return hashes
}
async function eventHashes(events: ReturnType<typeof openEvents>): Promise<Record<string, string>> {
  const tables = await queryRows<{ name: string }>(
    events,
    `select name from system.tables where database = currentDatabase() and engine like '%MergeTree' and name != 'migrations'
     and name not in {days:Array(String)} order by name`,
    { days: tablesOfDays },
  )
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await queryRows<{ rows: string; sum: string }>(
      events,
      `select toString(count()) as rows, toString(sum(cityHash64(*))) as sum from ${name} final`.replace(
        name === 'requests_raw_v1' || name === 'tops_per_hour_v1' ? ' final' : '\0',
        '',
      ),
      {},
    )
    hashes[name] = `${row?.rows} ${row?.sum}`
  }
  return hashes
}

test('a restored installation is identical, row for row and key for key; only the epoch is higher', async () => {
  const target = await emptyTarget()
  await restore(target, file, passphrase)
  const [before, after] = await Promise.all([
    relationalHashes(server.services.env.databaseUrl),
    relationalHashes(target.databaseUrl),
  ])
  const { installation: _before, ...rest } = before
  const { installation: _after, ...restored } = after
  expect(restored).toEqual(rest)
  expect(await eventHashes(target.events)).toEqual(await eventHashes(server.services.events))
  expect(readFileSync(join(target.dataFolder, 'keys', 'master.key'), 'utf8')).toBe('the key')
  const database = openDatabase(target.databaseUrl)
  const epochOf = async (db: typeof database) =>
    (await db.db.selectFrom('installation').select('epoch').executeTakeFirstOrThrow()).epoch
  expect(await epochOf(database)).toBe((await epochOf(server.services.database)) + 1)
  // The audit log's hash chain holds, and new rows get new ids.
  expect((await verifyAudit(database)).breaks).toEqual([])
  const next = await database.pool.query(
    `insert into roles (tenant_id, name) select id, 'new' from tenants order by id limit 1 returning id`,
  )
  expect(next.rows[0].id).toBeGreaterThan(0)
  expect(await migrate(target.databaseUrl)).toEqual([])
  // The materialized views that aggregate raw rows are recreated.
  const raw = { time: '2026-11-20 10:00:00.000', site: 1, path: '/', status: 200, weight: 1 }
  const minutes = async () =>
    Number(
      (
        await queryRows<{ n: number }>(target.events, 'select toUInt32(count()) as n from requests_per_minute_v1', {})
      )[0]?.n,
    )
  const had = await minutes()
  await target.events.insert({ table: 'requests_raw_v1', values: [raw], format: 'JSONEachRow' })
  expect(await minutes()).toBe(had + 1)
  await Promise.all([database.close(), target.events.close()])
})

test('a damaged, truncated or foreign file restores nothing', async () => {
  const target = await emptyTarget()
  const whole = readFileSync(file)
  const broken = join(folder, 'broken.age')
  const wrong = async (change: () => void, words: RegExp, key = passphrase) => {
    writeFileSync(broken, whole)
    change()
    await expect(restore(target, broken, key)).rejects.toThrow(words)
    await expect(verifyBackup(broken, key)).rejects.toThrow(BackupError)
  }
  await wrong(() => {}, /another passphrase/, 'not this one at all')
  await wrong(() => writeFileSync(broken, 'nonsense'), /no backup/)
  await wrong(() => truncateSync(broken, whole.length - 100), /damaged|cut off/)
  await wrong(() => appendFileSync(broken, 'x'), /damaged/)
  await wrong(() => {
    const bytes = Buffer.from(whole)
    bytes[Math.floor(bytes.length / 2)]! ^= 1
    writeFileSync(broken, bytes)
  }, /damaged/)
  expect(await relationalHashes(target.databaseUrl)).toEqual({})
  await target.events.close()
})

test('a restore never overwrites an installation', async () => {
  await expect(restore(source(), file, passphrase)).rejects.toThrow(/already holds/)
  const target = await emptyTarget()
  await migrate(target.databaseUrl)
  await expect(restore(target, file, passphrase)).rejects.toThrow(/not empty/)
  await target.events.close()
})

test('move-data copies everything into stores of one’s own', async () => {
  const target = await emptyTarget()
  await moveData(source(), target)
  expect(await relationalHashes(target.databaseUrl)).toEqual(await relationalHashes(server.services.env.databaseUrl))
  expect(await eventHashes(target.events)).toEqual(await eventHashes(server.services.events))
  await target.events.close()
})

test('no backup is made without a passphrase of sufficient length', () => {
  expect(() => backupPassphrase({})).toThrow('BREAKWATER_BACKUP_PASSPHRASE')
  expect(() => backupPassphrase({ BREAKWATER_BACKUP_PASSPHRASE: 'short' })).toThrow('12 characters')
})
