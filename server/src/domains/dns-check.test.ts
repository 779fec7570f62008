import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServerUnderTest, startDnsServer } from '../testing/dns-server.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { checkDomains } from './check-domains.ts'
import { makeDnsLookup } from './dns-check.ts'
import { holdsFile } from './proof.ts'

let dns: DnsServerUnderTest
let server: TestServer
let as: TokenSet
let of: string

beforeAll(async () => {
  dns = await startDnsServer()
  server = await makeTestServer({ dnsServers: [dns.at] })
  as = await server.signIn('user', 'customer')
  of = `/user/site/${await server.makeSite(as, 'shop')}`
})
afterAll(async () => {
  await server.stop()
  await dns.stop()
})

async function domainNamed(name: string) {
  const domains = [{ name, upstreams: [{ ip: '198.41.0.4', port: 80 }] }]
  await server.call('POST', `${of}/domains`, { as, body: { domains } })
  return (await server.call('GET', `${of}/domains?keywords=${name}`, { as })).body.data[0]
}
const checked = async (id: number) => (await server.call('GET', `${of}/domain/${id}/dns`, { as })).body.data

test('a domain’s state goes from no record, to somebody else’s, to ours', async () => {
  const { id, cname } = await domainNamed('shop.example.com')
  expect(await checked(id)).toEqual({ state: 'absent', found: [], proof: false })
  dns.set('shop.example.com', 'A', '198.41.0.9')
  expect(await checked(id)).toMatchObject({ state: 'elsewhere', found: ['198.41.0.9'] })
  dns.set('shop.example.com', 'CNAME', cname.toUpperCase())
  expect(await checked(id)).toMatchObject({ state: 'pointing', found: [cname] })
})

test('at the zone apex the addresses decide, and a wildcard is checked with a name below it', async () => {
  const apex = await domainNamed('example.org')
  dns.set(apex.cname, 'A', '198.41.0.77')
  dns.set('example.org', 'A', '198.41.0.77')
  expect(await checked(apex.id)).toMatchObject({ state: 'pointing' })
  const wild = await domainNamed('*.example.net')
  dns.set('www.example.net', 'CNAME', wild.cname)
  expect(await checked(wild.id)).toMatchObject({ state: 'pointing' })
})

test('the TXT record is found, and then proves ownership', async () => {
  const { id, ownership } = await domainNamed('mine.example.com')
  const prove = async () => (await server.call('POST', `${of}/domain/${id}/prove`, { as })).body.data
  expect(await prove()).toEqual({ state: 'pending' })
  dns.set(ownership.recordName, 'TXT', ownership.recordValue)
  expect(await checked(id)).toMatchObject({ state: 'absent', proof: true })
  expect(await prove()).toEqual({ state: 'proven', by: 'txt' })
})

test('without a DNS zone for the edge, DNS must have the addresses of all nodes of the group', async () => {
  const plain = await makeTestServer({ dnsServers: [dns.at], edgeDomain: '' })
  try {
    const customer = await plain.signIn('user', 'customer')
    const siteOf = `/user/site/${await plain.makeSite(customer, 'plain')}`
    const preview = async () => (await plain.call('GET', siteOf, { as: customer })).body.data.preview
    const addNode = (name: string, publicAddresses: string[]) =>
      plain.services.database.pool.query(
        `insert into nodes (operator_id, zone_id, group_id, name, ip, public_addresses, seal_key, certificate_serial)
         select z.operator_id, z.id, g.id, $1, '10.0.0.5', $2, '', $1 from groups g join zones z on z.id = g.zone_id
         where not g.is_backup order by g.id limit 1`,
        [name, publicAddresses],
      )
    await addNode('one', [])
    expect(await preview()).toMatchObject({ cname: '', addresses: ['10.0.0.5'], addressesArePrivate: true })
    await addNode('two', ['198.41.0.4'])
    await addNode('three', ['198.41.0.5', '2600::7'])
    const addresses = ['198.41.0.4', '198.41.0.5', '2600::7']
    expect(await preview()).toMatchObject({ addresses, nodeAddress: '198.41.0.4', addressesArePrivate: false })
    const domains = [{ name: 'plain.example.com', upstreams: [{ ip: '198.41.0.9', port: 80 }] }]
    await plain.call('POST', `${siteOf}/domains`, { as: customer, body: { domains } })
    const { id } = (await plain.call('GET', `${siteOf}/domains`, { as: customer })).body.data[0]
    const state = async () => (await plain.call('GET', `${siteOf}/domain/${id}/dns`, { as: customer })).body.data.state
    expect(await state()).toBe('absent')
    dns.set('plain.example.com', 'A', '198.41.0.5')
    expect(await state()).toBe('pointing')
    dns.set('plain.example.com', 'A', '10.0.0.5')
    expect(await state()).toBe('elsewhere')
  } finally {
    await plain.stop()
  }
})

test('background checks prove domains whose own name points here or that have the record', async () => {
  const [byName, byRecord, elsewhere] = [
    await domainNamed('led.example.com'),
    await domainNamed('written.example.com'),
    await domainNamed('foreign.example.com'),
  ]
  dns.set('led.example.com', 'CNAME', byName.cname)
  dns.set(byRecord.ownership.recordName, 'TXT', byRecord.ownership.recordValue)
  dns.set('foreign.example.com', 'A', '198.41.0.9')
  expect(await checkDomains(server.services, makeDnsLookup([dns.at]))).toBeGreaterThanOrEqual(3)
  const now = async (name: string) => (await server.call('GET', `${of}/domains?keywords=${name}`, { as })).body.data[0]
  expect(await now('led.example')).toMatchObject({ cnameStatuses: [1], ownership: { state: 'proven' } })
  expect(await now('written.example')).toMatchObject({ cnameStatuses: [3], ownership: { state: 'proven' } })
  expect(await now('foreign.example')).toMatchObject({ cnameStatuses: [2], ownership: { state: 'pending' } })
  expect((await server.call('GET', `${of}/domains?cnameStatuses=2`, { as })).body.data).toMatchObject([
    { name: 'foreign.example.com' },
  ])
  // Nothing is due again immediately; somebody who wants to know checks now.
  expect(await checkDomains(server.services, makeDnsLookup([dns.at]))).toBe(0)
  dns.set('foreign.example.com', 'CNAME', elsewhere.cname)
  const asked = await server.call('PUT', `${of}/domains/checkCNAME`, { as, body: { ids: [elsewhere.id] } })
  expect(asked.body.data).toMatchObject([{ id: elsewhere.id, cnameStatuses: [1] }])
  expect(await now('foreign.example')).toMatchObject({ ownership: { state: 'proven' } })
})

test('a file on the host proves ownership if the value is on a line of its own, and nothing else does', async () => {
  let content = ''
  const host = createServer((request, response) => {
    if (request.url === '/.well-known/breakwater.txt') response.end(content)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  const { port } = host.address() as AddressInfo
  const guard = { mayReach: () => true, resolve: async () => ['127.0.0.1'] }
  const holds = () => holdsFile(guard, 'host.example.com', 'breakwater=abc', port)
  expect(await holds()).toBe(false)
  content = 'x breakwater=abc\n'
  expect(await holds()).toBe(false)
  content = 'first\r\nbreakwater=abc\r\n'
  expect(await holds()).toBe(true)
  expect(await holdsFile({ ...guard, resolve: async () => [] }, 'host.example.com', 'breakwater=abc', port)).toBe(false)
  host.closeAllConnections()
  await new Promise((resolve) => host.close(resolve))
})

test('a domain’s origin is found from its current DNS: an address, or a name that is not its own', async () => {
  const found = async (domain: string, origin?: object) =>
    (await server.call('POST', '/user/origin/find', { as, body: { domain, ...(origin ? { origin } : {}) } })).body.data
      .origin
  expect(await found('unknown.example.com')).toBeNull()
  dns.set('old.example.com', 'A', '10.1.2.3')
  expect(await found('old.example.com')).toMatchObject({
    ip: '10.1.2.3',
    port: 443,
    tls: true,
    probe: { detail: 'private' },
  })
  dns.set('www.hosted.example.com', 'CNAME', '127.0.0.1.')
  expect(await found('*.hosted.example.com')).toMatchObject({ ip: '127.0.0.1' })
  // A name that already points to the edge reveals no origin.
  const { cname } = await domainNamed('here.example.com')
  dns.set('here.example.com', 'CNAME', cname)
  expect(await found('here.example.com')).toBeNull()
  const tried = { ip: '10.9.9.9', port: 8080, tls: false }
  expect(await found('unknown.example.com', tried)).toMatchObject({ ...tried, probe: { reachable: false } })
})
