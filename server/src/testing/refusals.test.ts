/** The refusals of every call, made from the contract, so that no feature can lack them. */

import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { AnyEndpoint, Tier } from '@breakwater/contract/endpoint.ts'
import { api } from '@breakwater/contract/index.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../auth/passwords.ts'
import { makeTestServer, type TestServer, testPassword } from './server.ts'

const endpoints = Object.values(api).flatMap((group) => Object.values(group) as AnyEndpoint[])
type Case = { name: string; endpoint: AnyEndpoint; tier: Tier }
const cases: Case[] = endpoints.flatMap((endpoint) =>
  (endpoint.tiers.length > 0 ? endpoint.tiers : (['user'] as const)).map((tier) => ({
    name: `${tier} ${endpoint.id}`,
    endpoint,
    tier,
  })),
)
const guarded = cases.filter(({ endpoint }) => endpoint.can !== 'public')
const permitted = guarded.filter(({ endpoint }) => endpoint.can !== 'signedIn')

let server: TestServer
let theirSite: number
const tokens: Partial<Record<Tier | 'powerless' | 'stranger', TokenSet>> = {}

beforeAll(async () => {
  server = await makeTestServer()
  tokens.user = await server.signIn('user', 'customer')
  tokens.client = await server.signIn('client', 'operator')
  tokens.admin = await server.signIn('admin', 'vendor')
  await server.makeCustomer('stranger')
  tokens.stranger = await server.signIn('user', 'stranger')
  theirSite = await server.makeSite(tokens.stranger, 'not yours')
  const passwordHash = await hashPassword(testPassword)
  await server.services.database.pool.query(
    "insert into accounts (tenant_id, tier, account, password_hash) select tenant_id, tier, tier || '-powerless', $1 from accounts where account in ('customer', 'operator', 'vendor')",
    [passwordHash],
  )
})
afterAll(() => server.stop())

/** An address of the call, with `site` for its site and 999999 for every other id. */
const addressOf = ({ endpoint, tier }: Case, site = 999_999) =>
  endpoint.path
    .replace(':tier', tier)
    .replace(':siteId', String(site))
    .replace(/:(\w+)/g, '999999')

const authOf = (pair: TokenSet) => ({ authorization: `Bearer ${pair.accessToken}` })

describe('without a session', () => {
  test.each(guarded)('$name answers 101013', async (one) => {
    const { status, body } = await server.call(one.endpoint.method, addressOf(one))
    expect([status, body.code]).toEqual([401, 101013])
  })
})

describe('with a session of another console', () => {
  test.each(guarded.filter(({ endpoint }) => endpoint.tiers.length > 0))('$name answers 101013', async (one) => {
    const other = tokens[one.tier === 'admin' ? 'user' : 'admin']!
    const { status, body } = await server.call(one.endpoint.method, addressOf(one), { headers: authOf(other) })
    expect([status, body.code]).toEqual([401, 101013])
  })
})

describe('without the permission', () => {
  test.each(permitted)('$name answers 101018', async (one) => {
    // A caller's budget is per session; a fresh one a case keeps this table out of it.
    const as = await server.signIn(one.tier, `${one.tier}-powerless`)
    const { status, body } = await server.call(one.endpoint.method, addressOf(one), { as })
    expect([status, body.code]).toEqual([403, 101018])
  })
})

/** Bodies that pass each schema, so that what is refused is the site and nothing else. */
const upstream = { ip: '127.0.0.1', port: 80 }
const bodies: Record<string, object> = {
  'site.domains.create': { domains: [{ name: 'x.example.com', upstreams: [upstream] }] },
  'site.domain.upstreams.create': { upstreams: [upstream] },
  'site.domain.upstream.update': { id: 1, ...upstream },
  'site.origin.probe': upstream,
  'site.history.restore': { revision: 1 },
  'site.setting.originCredential.update': { header: 'X-Origin-Key', value: 'a-long-secret' },
  'site.module.customHeaders.create': { modules: [{ name: 'm' }] },
  'site.module.customHeader.update': { id: 1, name: 'm' },
  'site.module.customHeader.headers.create': { items: [{ type: 'response', key: 'X-A', value: 'b' }] },
  'site.module.customHeader.header.update': { id: 1, type: 'response', key: 'X-A', value: 'b' },
  'site.domains.module.customHeader': { domainIDs: [1], moduleID: 0 },
  'site.cache.clear': { type: 'all' },
  'site.firewall.l7.whitelists.create': { ips: ['192.0.2.1'] },
  'site.firewall.l7.whitelist.update': { id: 1, ips: ['192.0.2.1'] },
  'site.firewall.l7.blacklists.create': { ips: ['192.0.2.1'] },
  'site.firewall.l7.blacklist.update': { id: 1, ips: ['192.0.2.1'] },
  'site.firewall.l7.secondRates.create': { urlRegex: '^/', rate: 1, burst: 1 },
  'site.firewall.l7.secondRate.update': { id: 1, urlRegex: '^/', rate: 1, burst: 1 },
  ...Object.fromEntries(
    ['whitelists', 'blacklists', 'secondRates', 'bodyRules']
      .map((list) => `site.firewall.l7.${list}`)
      .concat('site.setting.caches')
      .map((list) => [`${list}.switch`, { ids: [1], enabled: false }]),
  ),
  'site.firewall.l7.secondRates.move': { id: 1, to: 0 },
  'site.setting.caches.move': { id: 1, to: 0 },
  'site.firewall.l7.bodyRules.create': { urlRegex: '^/', contains: 'x' },
  'site.firewall.l7.bodyRule.update': { id: 1, urlRegex: '^/', contains: 'x' },
  'site.firewall.backtest': { kind: 'denyRules', rule: { ips: ['192.0.2.1'] } },
  'site.setting.caches.create': { type: 'image', ttl: 60 },
  'site.setting.cache.update': { id: 1, type: 'image', ttl: 60 },
}
const queries: Record<string, string> = {
  'site.domain.settings': '?domainName=x.example.com',
  'site.history.diff': '?from=1&to=1',
}
const ofSites = guarded.filter(({ endpoint, tier }) => endpoint.path.includes(':siteId') && tier === 'user')

describe('another customer’s site', () => {
  test.each(ofSites)('$name answers as for one that is not there', async (one) => {
    const { endpoint } = one
    const body = bodies[endpoint.id] ?? (endpoint.body ? { ids: [1] } : undefined)
    const ask = (site: number) =>
      server.call(endpoint.method, addressOf(one, site) + (queries[endpoint.id] ?? ''), { as: tokens.user, body })
    tokens.user = await server.signIn('user', 'customer')
    const [foreign, missing] = [await ask(theirSite), await ask(999_999)]
    expect([foreign.status, foreign.body.code]).toEqual([403, 101018])
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
    expect(JSON.stringify(foreign.body)).not.toContain('not yours')
  })
})

describe('wrong input', () => {
  const withBody = guarded.filter(({ endpoint }) => endpoint.body)
  const fresh = (tier: Tier) => server.signIn(tier, { user: 'customer', client: 'operator', admin: 'vendor' }[tier])

  test.each(withBody)('$name names an unknown field', async (one) => {
    const as = await fresh(one.tier)
    const { status, body } = await server.call(one.endpoint.method, addressOf(one), { as, body: { surprise: 1 } })
    expect([status, body.code]).toEqual([400, 101003])
    expect(body.extra).toContainEqual({ field: 'surprise', reason: 'unknownField' })
  })

  test.each(withBody)('$name refuses bodies that are no such object', async (one) => {
    const as = await fresh(one.tier)
    for (const body of ['{', '[]', '"text"', 'null', '{"__proto__":{"a":1}}', `${'['.repeat(100)}${']'.repeat(100)}`]) {
      const reply = await server.call(one.endpoint.method, addressOf(one), { as, body })
      expect([body, reply.status, reply.body.code]).toEqual([body, 400, 101003])
    }
  })

  test('a body that is too large is refused without being read to its end', async () => {
    const as = await fresh('user')
    const { status, body } = await server.call('POST', '/user/site', { as, body: { siteName: 'x'.repeat(2_000_000) } })
    expect([status, body.code]).toEqual([413, 101030])
  })

  test('a compressed body is not unpacked: no bomb has a way in', async () => {
    const as = await fresh('user')
    const { status, body } = await server.call('POST', '/user/site', {
      as,
      body: '{}',
      headers: { 'content-encoding': 'gzip' },
    })
    expect([status, body.code]).toEqual([415, 101003])
  })

  test('an address that does not exist is 101004, always JSON', async () => {
    for (const path of ['/nothing', '/user/nothing', '/moon/sites', '/user/site/0/domains', '/user/site/abc']) {
      const { status, body } = await server.call('GET', path, { as: await fresh('user') })
      expect([400, 404]).toContain(status)
      expect([101003, 101004]).toContain(body.code)
    }
  })
})
