import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../auth/passwords.ts'
import { makeTestServer, type TestServer, testPassword } from '../testing/server.ts'

let server: TestServer
const query = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)

beforeAll(async () => {
  server = await makeTestServer()
  // The test's event store is created at the first query, which takes longer than health waits for an existing one.
  await server.services.events.ping()
  const { rows } = await query("insert into tenants (kind, name) values ('operator', 'other') returning id")
  const other = rows[0].id
  await query(
    `insert into accounts (tenant_id, tier, account, name, password_hash, is_root) values ($1, 'client', 'other', 'other', $2, true)`,
    [other, await hashPassword(testPassword)],
  )
  const { rows: first } = await query("select tenant_id from accounts where account = 'operator'")
  for (const [operator, name] of [
    [first[0].tenant_id, 'ours'],
    [other, 'theirs'],
  ]) {
    const zone = await query('insert into zones (operator_id, name) values ($1, $2) returning id', [
      operator,
      `zone-${name}`,
    ])
    const group = await query('insert into groups (zone_id, name, label) values ($1, $2, $2) returning id', [
      zone.rows[0].id,
      `g-${name}`,
    ])
    await query(
      `insert into nodes (operator_id, zone_id, group_id, name, seal_key, certificate_serial) values ($1, $2, $3, $4, '', $4)`,
      [operator, zone.rows[0].id, group.rows[0].id, `node-${name}`],
    )
  }
})
afterAll(() => server.stop())

const health = async (tier?: 'user' | 'client' | 'admin', account = '') =>
  JSON.stringify((await server.call('GET', '/health', tier ? { as: await server.signIn(tier, account) } : {})).body)

test('lists an operator’s own offline nodes to that operator, and another’s to nobody', async () => {
  const [ours, theirs] = [await health('client', 'operator'), await health('client', 'other')]
  expect(ours).toContain('node-ours')
  expect(ours).not.toContain('node-theirs')
  expect(theirs).toContain('node-theirs')
  expect(theirs).not.toContain('node-ours')
  for (const others of [await health(), await health('user', 'customer'), await health('admin', 'vendor')])
    expect(others).not.toMatch(/node-(ours|theirs)/)
})

test('is the same for everybody apart from the names', async () => {
  const plain = JSON.parse(await health())
  expect(plain.data.status).toBe('down')
  expect(plain.data.components.map(({ detail }: { detail: string }) => detail)).toEqual(['', '', ''])
})
