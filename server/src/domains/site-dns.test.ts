/**
 * A site's own records in the operator's DNS: planned, written by signed updates, removed, and the name server's error
 * for those it refused.
 */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startZone, type ZoneUnderTest } from '../testing/dns-server.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { writeDnsRecords } from './write-dns-records.ts'

let server: TestServer
let zone: ZoneUnderTest
let as: TokenSet
let operator: TokenSet
let site: number
let of: string
const key = { name: 'breakwater', secret: Buffer.from('a secret of 32 bytes, or about so').toString('base64') }

beforeAll(async () => {
  zone = await startZone('edge.example.net', key)
  server = await makeTestServer()
  as = await server.openSession('user', 'customer')
  operator = await server.openSession('client', 'operator')
  site = await server.makeSite(as, 'shop')
  of = `/user/site/${site}/setting/dns`
})
afterAll(async () => {
  await server?.stop()
  await zone?.stop()
})

const call = (method: string, path: string, body?: unknown, by = as) => server.call(method, path, { as: by, body })
async function must(method: string, path: string, body?: unknown, by = as) {
  const reply = await call(method, path, body, by)
  if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.data
}
const write = () => writeDnsRecords(server.services)
const addNode = (name: string, addresses: string[]) =>
  server.services.database.pool.query(
    `insert into nodes (operator_id, zone_id, group_id, name, public_addresses, seal_key, certificate_serial)
     select z.operator_id, z.id, g.id, $1, $2, '', $1 from groups g join zones z on z.id = g.zone_id
     where not g.is_backup order by g.id limit 1`,
    [name, addresses],
  )

test('without a DNS provider nothing can be set, and what the whole group has is shown', async () => {
  const refused = await call('PUT', of, { line: 'default', ttl: 300 })
  expect([refused.status, refused.body.code]).toEqual([400, 101006])
  expect(await must('GET', of)).toEqual({
    ...{ line: 'default', ttl: 60, isOwn: false, records: [] },
    cname: expect.stringMatching(/\.edge\.example\.net$/),
  })
  for (const body of [
    { line: 'default', ttl: 29 },
    { line: 'default', ttl: 3601 },
    { line: 'nearby', ttl: 60 },
  ])
    expect((await call('PUT', of, body)).body.code).toBe(101003)
})

test('a change is previewed, then written to the zone, and follows the nodes of the group', async () => {
  const provider = { dnsType: 'rfc2136', domain: 'edge.example.net', account: zone.at, ...{ key: key.name } }
  await must('POST', '/client/setting/dns', { ...provider, secret: key.secret }, operator)
  await addNode('one', ['198.41.0.4', '2600::7'])
  const { cname: name } = await must('GET', of)
  const planned = await must('POST', `${of}/plan`, { line: 'default', ttl: 300 })
  expect(planned).toEqual([
    { name, type: 'A', before: [], after: ['198.41.0.4'], ttl: 300 },
    { name, type: 'AAAA', before: [], after: ['2600::7'], ttl: 300 },
  ])
  await write()
  expect(zone.addresses.size).toBe(0)
  await must('PUT', of, { line: 'default', ttl: 300 })
  await write()
  expect(zone.addresses.get(`${name} A`)).toEqual(['198.41.0.4 300'])
  expect(zone.addresses.get(`${name} AAAA`)).toEqual(['2600:0000:0000:0000:0000:0000:0000:0007 300'])
  const { records, isOwn } = await must('GET', of)
  expect([isOwn, records.map((record: { state: string }) => record.state)]).toEqual([true, ['written', 'written']])
  expect(await must('POST', `${of}/plan`, { line: 'default', ttl: 300 })).toEqual([])
  await addNode('two', ['198.41.0.5'])
  await write()
  expect(zone.addresses.get(`${name} A`)).toEqual(['198.41.0.4 300', '198.41.0.5 300'])
  // No node is left: the last records stay, as an empty response helps nobody.
  await server.services.database.pool.query("update nodes set status = 0 where name in ('one', 'two')")
  await write()
  expect(zone.addresses.get(`${name} A`)).toHaveLength(2)
  await server.services.database.pool.query("update nodes set status = 1 where name in ('one', 'two')")
})

test('records that the name server refused are shown to their operator for a retry, and to no other', async () => {
  zone.refuse(true)
  await must('PUT', of, { line: 'default', ttl: 600 })
  await write()
  const list = async () => (await call('GET', '/client/setting/dns/unprocessed', undefined, operator)).body
  const { data, total } = await list()
  expect([total, data[0]]).toEqual([
    2,
    expect.objectContaining({ type: 'A', value: '198.41.0.4 198.41.0.5', reason: '127.0.0.1 answered REFUSED' }),
  ])
  zone.refuse(false)
  // Not before it is due, unless somebody requests it.
  await write()
  expect((await list()).total).toBe(2)
  await must('POST', '/client/setting/dns/recovery', { ids: data.map(({ id }: { id: number }) => id) }, operator)
  await write()
  expect((await list()).total).toBe(0)
  expect([...zone.addresses.values()].flat().every((value) => value.endsWith(' 600'))).toBe(true)
})

test('a reset returns to the group’s records, and a restore to the site’s own', async () => {
  await must('DELETE', of)
  await write()
  expect([zone.addresses.size, (await must('GET', of)).records]).toEqual([0, []])
  const [, before] = await must('GET', `/user/site/${site}/history`)
  await must('POST', `/user/site/${site}/history/restore`, { revision: before.revision })
  await write()
  expect([...zone.addresses.values()].flat()).toContain('198.41.0.4 600')
})
