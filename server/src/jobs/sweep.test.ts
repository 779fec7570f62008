import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { sweep } from './sweep.ts'
import { startWorker } from './worker.ts'

let server: TestServer
let as: TokenSet
let site: number
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  site = await server.makeSite(as, 'swept')
})
afterAll(() => server.stop())

const one = async <T>(text: string, values: unknown[] = []): Promise<T> =>
  (await server.services.database.pool.query(text, values)).rows[0]
const deny = (ips: string[]) => server.call('POST', `/user/site/${site}/firewall/l7/blacklists`, { as, body: { ips } })

describe('the sweep', () => {
  test('deletes objects that no feed references, and keeps those that a node may still request', async () => {
    await deny(['192.0.2.1'])
    await deny(['192.0.2.2'])
    expect((await sweep(server.services)).objects).toBeGreaterThan(0)
    const { missing } = await one<{ missing: string }>(
      `select count(*) as missing from feed_entries f join artefact_objects a on a.artefact = f.artefact
       left join objects o on o.hash = a.object where o.hash is null`,
    )
    expect(Number(missing)).toBe(0)
    expect((await sweep(server.services)).objects).toBe(0)
  })

  test('keeps the newest hundred revisions and one of each day', async () => {
    await server.services.database.pool.query(
      `insert into revisions (tenant_id, site_id, revision, manifest, actor, action, created_at)
       select tenant_id, id, 1000 + n, '{}', 'test', 'test', now() - interval '40 days' + make_interval(hours => n)
       from sites, generate_series(1, 300) n where id = $1`,
      [site],
    )
    await sweep(server.services)
    const { kept, days } = await one<{ kept: string; days: string }>(
      'select count(*) as kept, count(distinct created_at::date) as days from revisions where site_id = $1',
      [site],
    )
    expect(Number(kept)).toBeLessThan(120)
    expect(Number(kept)).toBeGreaterThanOrEqual(100)
    expect(Number(days)).toBeGreaterThanOrEqual(13)
  })

  test('deletes expired tokens', async () => {
    await server.services.database.pool.query("update session_tokens set refresh_expires_at = now() - interval '1 day'")
    expect((await sweep(server.services)).tokens).toBeGreaterThan(0)
    expect((await server.call('GET', '/user/sites', { as })).body.code).toBe(101013)
  })
})

test('the worker starts next to the product’s own tables and stops', async () => {
  const worker = await startWorker(server.services)
  const { n } = await one<{ n: string }>(
    "select count(*) as n from information_schema.schemata where schema_name = 'graphile_worker'",
  )
  expect(Number(n)).toBe(1)
  await worker.close()
})
