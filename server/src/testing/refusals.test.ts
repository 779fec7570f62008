/**
 * What every call rejects for any caller: another customer's site, and invalid input. Generated from the contract, so
 * that no feature can lack it. Permissions are tested by the permission matrix.
 */

import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { AnyEndpoint, Tier } from '@breakwater/contract/endpoint.ts'
import { api } from '@breakwater/contract/index.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleOf } from './sample-input.ts'
import { makeTestServer, type TestServer } from './server.ts'

const endpoints = Object.values(api).flatMap((group) => Object.values(group) as AnyEndpoint[])
type Case = { name: string; endpoint: AnyEndpoint; tier: Tier }
const cases: Case[] = endpoints.flatMap((endpoint) =>
  (endpoint.tiers.length > 0 ? endpoint.tiers : (['user'] as const)).map((tier) => ({
    name: `${tier} ${endpoint.id}`,
    endpoint,
    tier,
  })),
)
const everything = process.env.BREAKWATER_TESTS === 'all'
const guarded = cases.filter(({ endpoint }) => endpoint.can !== 'public')

let server: TestServer
let theirSite: number

beforeAll(async () => {
  server = await makeTestServer()
  await server.makeCustomer('stranger')
  theirSite = await server.makeSite(await server.openSession('user', 'stranger'), 'not yours')
})
afterAll(() => server.stop())

/** The path of the call, with `site` as its site and 999999 for every other id. */
const addressOf = ({ endpoint, tier }: Case, site = 999_999) =>
  endpoint.path
    .replace(':tier', tier)
    .replace(':siteId', String(site))
    .replace(/:(\w+)/g, '999999')

const roots = { user: 'customer', client: 'operator', admin: 'vendor' }
const sessions = new Map<Tier, { session: TokenSet; left: number }>()
/** Rate limits are per session: a new session every few cases avoids them. */
async function fresh(tier: Tier): Promise<TokenSet> {
  const known = sessions.get(tier)
  if (known && known.left-- > 0) return known.session
  const session = await server.openSession(tier, roots[tier])
  sessions.set(tier, { session, left: 9 })
  return session
}

/** Bodies that pass each schema, so that only the site can be rejected; for the schemas without a generated sample. */
const acl = { name: 'a', conditions: { field: 'path', operator: 'eq', values: ['/a'] }, action: 'block' }
const upstream = { ip: '127.0.0.1', port: 80 }
const bodies: Record<string, object> = {
  'site.setting.gzip.update': { enable: true, types: ['text/html'], minLength: 0, level: 1 },
  'site.setting.requestHandling.update': { ambiguousPaths: 'match', backslashes: 'refuse', keyedHeaders: [] },
  'site.setting.dns.update': { line: 'default', ttl: 60 },
  'site.setting.dns.plan': { line: 'default', ttl: 60 },
  'site.setting.cacheStatus.update': { enable: true, networks: [] },
  'site.setting.originHealth.update': {
    ...{ type: 'http', path: '/', codes: ['2xx'], interval: 10, timeout: 5, rise: 2, fall: 3 },
  },
  'site.setting.originCertificate.update': { certificate: 'x', privateKey: 'x' },
  'site.setting.originTls.update': { verify: 'off', ca: '', pins: [], serverName: '', host: '' },
  'site.setting.originTimeouts.update': { connect: 5, firstByte: 60, idle: 60, websocketIdle: 600 },
  'site.certificate.create': { name: 'c', certificate: 'x', privateKey: 'x' },
  'site.certificate.update': { id: 1, name: 'c' },
  'site.certificate.domains': { certificateID: 1, domainIDs: [1] },
  'site.setting.tls.update': { profile: 'modern', hstsSeconds: 0, hstsSubdomains: false, hstsPreload: false },
  'site.domain.setting.autoSSL': { ids: [1], enable: true },
  'site.domain.setting.forceSSL': { ids: [1], forceSSL: true },
  'site.domain.scheme': { scheme: 3 },
  'site.setting.ports.add': { ports: [8443] },
  'site.setting.ports.remove': { ports: [8443] },
  'site.domains.create': { domains: [{ name: 'x.example.com', upstreams: [upstream] }] },
  'site.domains.createSimple': { names: ['x.example.com'] },
  'site.domains.createFrom': { domainID: 1, names: ['x.example.com'] },
  'site.domains.copyToSite': { ids: [1], siteID: 1 },
  'site.domains.removeByNames': { names: ['x.example.com'] },
  'site.domain.update': { id: 1, status: 0 },
  'site.domain.setting.status': { ids: [1], status: 0 },
  'site.domain.setting.tags': { ids: [1], tags: [] },
  'site.domain.setting.balance': { ids: [1], balance: 1 },
  'site.domains.setUpstreams': { ids: [1], upstreams: [upstream] },
  'site.domains.modifyUpstreamIPs': { ids: [1], fromIP: '127.0.0.1', toIP: '127.0.0.2' },
  'site.tags.set': { tags: [] },
  'site.setting.update': { websocket: true, timeout: 60, maxBodySize: 0 },
  'site.domain.upstreams.create': { upstreams: [upstream] },
  'site.domain.upstream.update': { id: 1, ...upstream },
  'site.origin.probe': upstream,
  'site.history.restore': { revision: 1 },
  'site.setting.originCredential.update': { header: 'X-Origin-Key', value: 'a-long-secret' },
  'site.module.proxyRewrites.create': { modules: [{ name: 'm' }] },
  'site.module.proxyRewrite.update': { id: 1, name: 'm' },
  'site.module.proxyRewrite.rules.create': { items: [{ urlRegex: '^/a', target: '/b' }] },
  'site.module.proxyRewrite.rule.update': { id: 1, urlRegex: '^/a', target: '/b' },
  'site.domains.module.proxyRewrite': { domainIDs: [1], moduleID: 0 },
  'site.domain.antiHeaders.create': { urlRegex: '^/', header: 'X-A' },
  'site.domain.antiHeader.update': { id: 1, urlRegex: '^/', header: 'X-A' },
  'site.domain.antiHeaders.switch': { ids: [1], enabled: false },
  'site.domain.antiReferers.create': { urlRegex: '^/', referers: ['a.example.com'] },
  'site.domain.antiReferer.update': { id: 1, urlRegex: '^/', referers: ['a.example.com'] },
  'site.domain.antiReferers.switch': { ids: [1], enabled: false },
  'site.setting.errorPages.update': { status: 403, content: '<p>no' },
  'site.setting.errorPages.remove': { status: 403 },
  'site.firewall.setting.apiShield.update': {
    ...{ enable: false, mode: 'observe', document: '', scope: ['/'], bodyBytes: 131_072, overBudget: 'block' },
  },
  'site.firewall.setting.apiShield.check': { document: '' },
  'site.setting.rates.create': { urlRegex: '^/', rate: 10_000 },
  'site.setting.rate.update': { id: 1, urlRegex: '^/', rate: 10_000 },
  'site.setting.rates.move': { id: 1, to: 0 },
  'site.setting.rates.switch': { ids: [1], enabled: false },
  'site.module.tokenAuths.create': { modules: [{ name: 'm' }] },
  'site.module.tokenAuth.update': { id: 1, name: 'm' },
  'site.module.tokenAuth.auths.create': { items: [{ urlRegex: '^/a', key: 'a-long-key' }] },
  'site.module.tokenAuth.auth.update': { id: 1, urlRegex: '^/a' },
  'site.module.tokenAuth.sign': { id: 1, path: '/a' },
  'site.domains.module.tokenAuth': { domainIDs: [1], moduleID: 0 },
  'site.auth.group.jwtAuth.create': { key: 'k', algorithm: 'HS256', secret: 'x'.repeat(32) },
  'site.auth.group.jwtAuth.update': { id: 1, key: 'k', algorithm: 'HS256', secret: 'x'.repeat(32) },
  'site.module.luaAcls.create': { modules: [{ name: 'm' }] },
  'site.module.luaAcl.update': { id: 1, name: 'm' },
  'site.module.luaAcl.rule.create': acl,
  'site.module.luaAcl.rule.update': { id: 1, ...acl },
  'site.module.luaAcl.rule.backtest': { rule: acl },
  'site.module.luaAcl.rule.enable': { id: 1, enabled: false },
  'site.domains.module.luaAcl': { domainIDs: [1], moduleID: 0 },
  'site.module.wafs.create': { modules: [{ name: 'm' }] },
  'site.module.waf.update': { id: 1, name: 'm' },
  'site.module.waf.rules.create': { items: [{ ruleID: 942100, name: 'm' }] },
  'site.module.waf.rule.update': { id: 1, ruleID: 942100, name: 'm' },
  'site.module.waf.exclude': {
    row: '1700000000000-1-x',
    items: [{ ruleID: 942100, name: 'm', memo: 'why', expiresAt: '2040-01-01T00:00:00Z' }],
  },
  'site.domains.module.waf': { domainIDs: [1], moduleID: 0 },
  'site.module.cors.create': { modules: [{ name: 'm', origins: ['*'] }] },
  'site.module.cors.update': { id: 1, name: 'm', origins: ['*'] },
  'site.domains.module.cors': { domainIDs: [1], corsID: 0 },
  'site.module.customHeaders.create': { modules: [{ name: 'm' }] },
  'site.module.urlRedirects.create': { modules: [{ name: 'm' }] },
  'site.module.urlRedirect.update': { id: 1, name: 'm' },
  'site.module.urlRedirect.rules.create': { items: [{ urlRegex: '^/a', target: '/b' }] },
  'site.module.urlRedirect.rule.update': { id: 1, urlRegex: '^/a', target: '/b' },
  'site.domains.module.urlRedirect': { domainIDs: [1], moduleID: 0 },
  'site.module.customHeader.update': { id: 1, name: 'm' },
  'site.module.customHeader.headers.create': { items: [{ type: 'response', key: 'X-A', value: 'b' }] },
  'site.module.customHeader.header.update': { id: 1, type: 'response', key: 'X-A', value: 'b' },
  'site.domains.module.customHeader': { domainIDs: [1], moduleID: 0 },
  'site.cache.clear': { type: 'all' },
  'site.cache.preheat.create': { urls: ['https://a.example/'] },
  'site.cache.preheat.sitemap.create': { url: 'https://a.example/sitemap.xml' },
  'client.zone.setting.preheatCaches.create': { urls: ['https://a.example/'] },
  'site.cache.simulate': { url: '/' },
  'site.request.trace': { url: '/' },
  'site.firewall.l7.whitelists.create': { ips: ['192.0.2.1'] },
  'site.firewall.l7.whitelist.update': { id: 1, ips: ['192.0.2.1'] },
  'site.firewall.l7.blacklists.create': { ips: ['192.0.2.1'] },
  'site.firewall.l7.blacklist.update': { id: 1, ips: ['192.0.2.1'] },
  'site.firewall.l7.secondRates.create': { urlRegex: '^/', rate: 1, burst: 1 },
  'site.firewall.l7.secondRate.update': { id: 1, urlRegex: '^/', rate: 1, burst: 1 },
  ...Object.fromEntries(
    ['whitelists', 'blacklists', 'secondRates', 'bodyRules', 'userAgents', 'antiHeaders', 'intervalRates', 'geos']
      .map((list) => `site.firewall.l7.${list}`)
      .concat('site.setting.caches')
      .map((list) => [`${list}.switch`, { ids: [1], enabled: false }]),
  ),
  'site.firewall.l7.secondRates.move': { id: 1, to: 0 },
  'site.setting.caches.move': { id: 1, to: 0 },
  'site.firewall.l7.bodyRules.create': { urlRegex: '^/', contains: 'x' },
  'site.firewall.l7.bodyRule.update': { id: 1, urlRegex: '^/', contains: 'x' },
  'site.firewall.l7.userAgents.create': { urlRegex: '^/', userAgentRegex: 'x' },
  'site.firewall.l7.userAgent.update': { id: 1, urlRegex: '^/', userAgentRegex: 'x' },
  'site.firewall.l7.antiHeaders.create': { urlRegex: '^/', header: 'X-A' },
  'site.firewall.l7.antiHeader.update': { id: 1, urlRegex: '^/', header: 'X-A' },
  'site.firewall.l7.intervalRates.create': { urlRegex: '^/', seconds: 60, times: 10 },
  'site.firewall.l7.intervalRate.update': { id: 1, urlRegex: '^/', seconds: 60, times: 10 },
  'site.firewall.l7.intervalRates.move': { id: 1, to: 0 },
  'site.firewall.l7.geos.create': { geoIDs: [1082] },
  'site.firewall.l7.geo.update': { id: 1, geoIDs: [1082] },
  'site.firewall.setting.adv.update': { enable: true, blockType: 1, blockSeconds: 60, whiteUrls: [] },
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
  test.each(ofSites)('$name answers as for one that does not exist', async (one) => {
    const { endpoint } = one
    const body = bodies[endpoint.id] ?? (endpoint.body && sampleOf(endpoint.body))
    const as = await fresh('user')
    const ask = (site: number) =>
      server.call(endpoint.method, addressOf(one, site) + (queries[endpoint.id] ?? ''), { as, body })
    const [foreign, missing] = [await ask(theirSite), await ask(999_999)]
    expect([foreign.status, foreign.body.code]).toEqual([403, 101018])
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
    expect(JSON.stringify(foreign.body)).not.toContain('not yours')
  })
})

describe('wrong input', () => {
  // The consoles share the schema and the handler of a call.
  const isFirst = ({ endpoint, tier }: Case) => everything || endpoint.tiers.length === 0 || endpoint.tiers[0] === tier
  const withBody = guarded.filter((one) => one.endpoint.body && isFirst(one))
  const noObjects = ['{', '[]', '"text"', 'null', '{"__proto__":{"a":1}}', `${'['.repeat(100)}${']'.repeat(100)}`]
  let turn = 0
  /** All of them in `script/test --all`; otherwise two per call, different ones for the next. */
  const someOfThem = () => {
    turn += 2
    return everything ? noObjects : [noObjects[turn % 6]!, noObjects[(turn + 1) % 6]!]
  }

  test.each(withBody)('$name reports an unknown field', async (one) => {
    const as = await fresh(one.tier)
    const { status, body } = await server.call(one.endpoint.method, addressOf(one), { as, body: { surprise: 1 } })
    expect([status, body.code]).toEqual([400, 101003])
    expect(body.extra).toContainEqual({ field: 'surprise', reason: 'unknownField' })
  })

  test.each(withBody)('$name rejects bodies that are not such an object', async (one) => {
    const as = await fresh(one.tier)
    for (const body of someOfThem()) {
      const reply = await server.call(one.endpoint.method, addressOf(one), { as, body })
      expect([body, reply.status, reply.body.code]).toEqual([body, 400, 101003])
    }
  })

  test('a body that is too large is rejected without being read to its end', async () => {
    const as = await fresh('user')
    const { status, body } = await server.call('POST', '/user/site', { as, body: { siteName: 'x'.repeat(2_000_000) } })
    expect([status, body.code]).toEqual([413, 101030])
  })

  test('a compressed body is not decompressed, so a compression bomb has no effect', async () => {
    const as = await fresh('user')
    const { status, body } = await server.call('POST', '/user/site', {
      as,
      body: '{}',
      headers: { 'content-encoding': 'gzip' },
    })
    expect([status, body.code]).toEqual([415, 101003])
  })

  test('a path that does not exist is 101004, always JSON', async () => {
    for (const path of ['/nothing', '/user/nothing', '/moon/sites', '/user/site/0/domains', '/user/site/abc']) {
      const { status, body } = await server.call('GET', path, { as: await fresh('user') })
      expect([400, 404]).toContain(status)
      expect([101003, 101004]).toContain(body.code)
    }
  })
})
