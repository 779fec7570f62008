import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import { api } from '@breakwater/contract/index.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let customer: TokenSet
let site: number
beforeAll(async () => {
  server = await makeTestServer()
  customer = await server.signIn('user', 'customer')
  site = await server.makeSite(customer, 'sample')
})
afterAll(() => server.stop())

const files = Object.values(api)
  .flatMap((group) => Object.values(group) as AnyEndpoint[])
  .filter(({ kind, audit }) => kind === 'raw' && audit !== undefined)
const now = Math.floor(Date.now() / 1000)
const bodies: Record<string, object> = {
  'logs.explorer.export': { startTime: now - 3600, endTime: now },
  'site.domains.export': { ids: [] },
}

test.each(files)('$id sends nothing when its audit entry cannot be written', async ({ id, method, path }) => {
  const { pool } = server.services.database
  const address = path.replace(':tier', 'user').replace(':siteId', String(site))
  const ask = () => server.call(method, address, { as: customer, body: bodies[id] ?? {} })
  expect((await ask()).status).toBe(200)
  await pool.query(`create function refuse_entry() returns trigger language plpgsql as $$
    begin raise exception 'no entry today'; end $$;
    create trigger refuse_entry before insert on audit for each row when (new.action = '${id}')
    execute function refuse_entry()`)
  try {
    const refused = await ask()
    expect([refused.status, refused.body.code]).toEqual([500, 101002])
    expect(refused.headers['content-type']).toContain('json')
    // The running exports are released, including the file that was sent earlier.
    await vi.waitFor(async () =>
      expect((await pool.query('select from log_exports where ended_at is null')).rowCount).toBe(0),
    )
  } finally {
    await pool.query('drop trigger refuse_entry on audit; drop function refuse_entry')
  }
})
