/**
 * The API and the built console in this process, on its own databases, with a site of a hundred domains and with a
 * hundred accounts.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../../../server/src/app.ts'
import { migrate } from '../../../server/src/db/migrate.ts'
import { startClickHouse } from '../../../server/src/engines/clickhouse.ts'
import { startPostgres } from '../../../server/src/engines/postgres.ts'
import { migrateEvents } from '../../../server/src/events/migrate.ts'
import { openEvents } from '../../../server/src/events/store.ts'
import { makeServices } from '../../../server/src/services.ts'
import { firstRun } from '../../../server/src/system/first-run.ts'

const password = 'correct-horse-7'

export async function startConsole(rows: number) {
  const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
  for (const part of ['keys', 'postgres', 'clickhouse']) mkdirSync(join(dataFolder, part))
  const postgres = await startPostgres({ dataFolder: join(dataFolder, 'postgres') })
  const clickhouse = await startClickHouse({ dataFolder: join(dataFolder, 'clickhouse') })
  await migrate(postgres.url)
  const events = openEvents(clickhouse.url)
  await migrateEvents(events)
  await events.close()
  Object.assign(process.env, {
    BREAKWATER_DATA: dataFolder,
    BREAKWATER_LOG_LEVEL: 'silent',
    BREAKWATER_FIRST_PASSWORD: password,
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
  })
  const services = makeServices('bench')
  await firstRun(services)
  const app = await buildApp(services, { checksReplies: false })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const siteId = await makeSite(url)
  const fill = (sql: string, values: unknown[]) => services.database.pool.query(sql, values)
  await fill(
    `with named as (insert into domains (tenant_id, site_id, name, proof, ownership)
       select tenant_id, id, 'host-' || n || '.example.com', md5(n::text), (array['pending', 'proven'])[1 + n % 2]
       from sites, generate_series(1, $1::int) n where id = $2 returning id, tenant_id)
     insert into upstreams (tenant_id, domain_id, ip, port) select tenant_id, id, '192.0.2.' || id % 250, 443 from named`,
    [rows, siteId],
  )
  await fill(
    `insert into accounts (tenant_id, parent_id, tier, account, name, email, status, all_sites)
     select tenant_id, id, 'user', 'person-' || n, 'Person ' || md5(n::text), 'person' || n || '@example.com', 1, false
     from accounts, generate_series(1, $1::int) n where account = 'customer'`,
    [rows],
  )
  return {
    url,
    siteId,
    accounts: { vendor: 'vendor', operator: 'operator', customer: 'customer', password },
    async stop() {
      await app.close()
      await Promise.all([services.database.close(), services.events.close()])
      await Promise.all([postgres.stop(), clickhouse.stop()])
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

/** Signs in as the customer and creates a site. Returns its ID. */
async function makeSite(url: string): Promise<number> {
  async function post(path: string, body: object, token?: string) {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const reply = await fetch(`${url}/api/v1/user/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!reply.ok) throw new Error(`${path} answered ${reply.status} ${await reply.text()}`)
    return ((await reply.json()) as { data: { accessToken: string; siteID: number } }).data
  }
  const { accessToken } = await post('code', { account: 'customer', password })
  return (await post('site', { siteName: 'shop' }, accessToken)).siteID
}
