/** Who holds a name: an operator's approval, proof by DNS, and names that nobody can claim. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../auth/passwords.ts'
import { type DnsServerUnderTest, startDnsServer } from '../testing/dns-server.ts'
import { makeTestServer, type TestServer, testPassword } from '../testing/server.ts'

let server: TestServer
let dns: DnsServerUnderTest
/** An operator with a customer and a site; there are two. */
type Side = { operator: TokenSet; customer: TokenSet; site: number }
let east: Side
let west: Side
const query = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)

beforeAll(async () => {
  dns = await startDnsServer()
  server = await makeTestServer({ dnsServers: [dns.at] })
  const hash = await hashPassword(testPassword)
  const made = await query("insert into tenants (kind, name) values ('operator', 'west') returning id")
  const operator = made.rows[0].id
  const customer = await query(
    "insert into tenants (kind, name, operator_id) values ('customer', 'west', $1) returning id",
    [operator],
  )
  for (const [tenant, tier, account] of [
    [operator, 'client', 'west-operator'],
    [customer.rows[0].id, 'user', 'west-customer'],
  ])
    await query(
      'insert into accounts (tenant_id, tier, account, name, password_hash, is_root) values ($1, $2, $3, $3, $4, true)',
      [tenant, tier, account, hash],
    )
  const zone = await query("insert into zones (operator_id, name) values ($1, 'west') returning id", [operator])
  const group = await query("insert into groups (zone_id, name, label) values ($1, 'west', 'gwest') returning id", [
    zone.rows[0].id,
  ])
  const product = await query(
    "insert into products (operator_id, name, is_self_service) values ($1, 'west', true) returning id",
    [operator],
  )
  await query('insert into product_groups values ($1, $2)', [product.rows[0].id, group.rows[0].id])
  await query('insert into feeds (group_id) values ($1) on conflict do nothing', [group.rows[0].id])
  east = await side('operator', 'customer')
  west = await side('west-operator', 'west-customer')
})
afterAll(async () => {
  await server.stop()
  await dns.stop()
})

async function side(operator: string, account: string): Promise<Side> {
  const customer = await server.signIn('user', account)
  return { operator: await server.signIn('client', operator), customer, site: await server.makeSite(customer, account) }
}

const add = ({ customer, site }: Side, name: string) =>
  server.call('POST', `/user/site/${site}/domains`, {
    as: customer,
    body: { domains: [{ name, upstreams: [{ ip: '198.41.0.4', port: 443 }] }] },
  })
async function domainOf({ customer, site }: Side, name: string) {
  const { body } = await server.call('GET', `/user/site/${site}/domains?pageSize=100`, { as: customer })
  return body.data.find((domain: { name: string }) => domain.name === name)
}
const approve = async (who: Side, name: string) =>
  server.call('POST', `/client/site/${who.site}/domain/${(await domainOf(who, name)).id}/approve`, { as: who.operator })
const prove = async (who: Side, name: string) =>
  server.call('POST', `/user/site/${who.site}/domain/${(await domainOf(who, name)).id}/prove`, { as: who.customer })
async function publishProof(who: Side, name: string) {
  const { ownership } = await domainOf(who, name)
  dns.set(ownership.recordName, 'TXT', ownership.recordValue)
}
const hostsOf = async ({ site }: Side): Promise<string[]> =>
  (await query('select hosts from feed_entries where site_id = $1', [site])).rows.flatMap(({ hosts }) => hosts)

test('another customer can add an approved name: an approval gets 401001, proof takes it over', async () => {
  await add(east, 'www.claimed.example')
  expect((await approve(east, 'www.claimed.example')).status).toBe(200)
  expect(await hostsOf(east)).toContain('www.claimed.example')
  expect((await add(west, 'www.claimed.example')).status).toBe(200)
  const refused = await approve(west, 'www.claimed.example')
  expect([refused.status, refused.body.code]).toEqual([409, 401001])
  // Without the record nothing changes.
  expect((await prove(west, 'www.claimed.example')).body.data).toEqual({ state: 'pending' })
  expect(await hostsOf(east)).toContain('www.claimed.example')
  await publishProof(west, 'www.claimed.example')
  expect((await prove(west, 'www.claimed.example')).body.data).toEqual({ state: 'proven', by: 'txt' })
  expect(await hostsOf(west)).toContain('www.claimed.example')
  expect(await hostsOf(east)).not.toContain('www.claimed.example')
  expect((await domainOf(east, 'www.claimed.example')).ownership.state).toBe('pending')
  const audited = (
    await server.call('POST', '/user/auditLogs', { as: east.customer, body: { action: 'site.domain.displaced' } })
  ).body
  expect(audited.data[0].detail).toEqual({ name: 'www.claimed.example', ownership: 'pending' })
  expect(JSON.stringify(audited)).not.toContain('west')
})

test('a proven name is refused with 401001, and no approval takes it over', async () => {
  await add(west, 'www.proven.example')
  await add(east, 'www.proven.example')
  await publishProof(west, 'www.proven.example')
  expect((await prove(west, 'www.proven.example')).body.data).toEqual({ state: 'proven', by: 'txt' })
  expect((await approve(east, 'www.proven.example')).body.code).toBe(401001)
  await publishProof(east, 'www.proven.example')
  expect((await prove(east, 'www.proven.example')).body.code).toBe(401001)
  await server.makeCustomer('late')
  const late = await server.signIn('user', 'late')
  const site = await server.makeSite(late, 'late')
  const refused = await add({ ...east, customer: late, site }, 'www.proven.example')
  expect([refused.status, refused.body.code]).toEqual([409, 401001])
  expect(await hostsOf(west)).toContain('www.proven.example')
})

test('nobody can take another’s preview host or an edge entrance, neither by a claim nor a wildcard', async () => {
  const { rows } = await query('select label from sites where id = $1', [east.site])
  const preview = `${rows[0].label}.localhost`
  for (const name of [preview, 'any.localhost', '*.any.localhost', 'any.edge.example.net', '*.edge.example.net']) {
    const refused = await add(west, name)
    expect([name, refused.status, refused.body.code]).toEqual([name, 409, 401001])
  }
  expect((await add(west, '*.localhost')).body.code).toBe(101003)
  // One saved before this rule existed is neither approved, proven nor served.
  await add(west, 'old.example')
  await query('update domains set name = $1 where name = $2', [preview, 'old.example'])
  expect((await approve(west, preview)).body.code).toBe(401001)
  await publishProof(west, preview)
  expect((await prove(west, preview)).body.code).toBe(401001)
  await query("update domains set ownership = 'approved' where name = $1", [preview])
  expect((await add(west, 'another.example')).status).toBe(200)
  expect(await hostsOf(west)).not.toContain(preview)
})
