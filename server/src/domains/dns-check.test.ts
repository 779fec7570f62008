import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServerUnderTest, startDnsServer } from '../testing/dns-server.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

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

test('a domain is followed from no record, over another’s, to ours', async () => {
  const { id, cname } = await domainNamed('shop.example.com')
  expect(await checked(id)).toEqual({ state: 'absent', found: [], proof: false })
  dns.set('shop.example.com', 'A', '198.41.0.9')
  expect(await checked(id)).toMatchObject({ state: 'elsewhere', found: ['198.41.0.9'] })
  dns.set('shop.example.com', 'CNAME', cname.toUpperCase())
  expect(await checked(id)).toMatchObject({ state: 'pointing', found: [cname] })
})

test('at the top of a zone the addresses decide, and a wildcard is asked below', async () => {
  const apex = await domainNamed('example.org')
  dns.set(apex.cname, 'A', '198.41.0.77')
  dns.set('example.org', 'A', '198.41.0.77')
  expect(await checked(apex.id)).toMatchObject({ state: 'pointing' })
  const wild = await domainNamed('*.example.net')
  dns.set('www.example.net', 'CNAME', wild.cname)
  expect(await checked(wild.id)).toMatchObject({ state: 'pointing' })
})

test('the TXT record is seen, and then proves the owner', async () => {
  const { id, ownership } = await domainNamed('mine.example.com')
  const prove = async () => (await server.call('POST', `${of}/domain/${id}/prove`, { as })).body.data
  expect(await prove()).toEqual({ state: 'pending' })
  dns.set(ownership.recordName, 'TXT', ownership.recordValue)
  expect(await checked(id)).toMatchObject({ state: 'absent', proof: true })
  expect(await prove()).toEqual({ state: 'proven' })
})
