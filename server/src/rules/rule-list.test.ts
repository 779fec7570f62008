/** What follows from the declaration of a rule list: which fields it accepts, and who owns its rules. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { RuleMeta, ruleList } from '@breakwater/contract/rule-list.ts'
import { UrlRegex } from '@breakwater/contract/url-regex-field.ts'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { identify } from '../auth/identify.ts'
import { makeFeatures } from '../features.ts'
import { makeApp } from '../http/app.ts'
import { mount } from '../http/mount.ts'
import { parts } from '../parts.ts'
import { makeTestBudget, makeTestServer, type TestServer } from '../testing/server.ts'
import { ruleListFeature } from './rule-list.ts'
import { domainRuleListPart } from './rule-list-part.ts'

/** A kind of rule that domains own, without modes and expiry. */
const toyRules = ruleList('toyRules', {
  owner: 'domain',
  ids: { one: 'site.domain.toyRule', many: 'site.domain.toyRules' },
  paths: { one: 'toyRule', many: 'toyRules' },
  item: z.object({ urlRegex: UrlRegex, ...RuleMeta.pick({ enabled: true }).shape }),
  read: 'domains.read',
  write: 'domains.write',
  max: 2,
  noun: 'toy rule',
})

let server: TestServer
let app: FastifyInstance
let as: TokenSet
let site: number
let domains: number[]

beforeAll(async () => {
  server = await makeTestServer()
  const toyPart = domainRuleListPart(toyRules, (rules, domain) => {
    domain.originHost = `has-${rules.length}.example`
  })
  const { publisher } = server.services
  const services = { ...server.services, publisher: { ...publisher, parts: [...parts, toyPart as never] } }
  app = makeApp(services.logger)
  mount(app, [...makeFeatures(services), ruleListFeature(services, toyRules)], {
    database: services.database,
    vault: services.vault,
    checksReplies: true,
    budget: makeTestBudget(),
    requireCurrent: async () => undefined,
    identify: (authorization, tier, address) => identify(services.database.db, authorization, tier, address),
    identifyAgain: async (caller) => caller,
  })
  await app.ready()
  as = await server.signIn('user', 'customer')
  site = await server.makeSite(as, 'shop')
  const upstreams = [{ ip: '127.0.0.1', port: 80 }]
  const names = ['a.example.com', 'b.example.com']
  await call('POST', '/domains', { domains: names.map((name) => ({ name, upstreams })) })
  domains = (await call('GET', '/domains')).body.data.map(({ id }: { id: number }) => id).sort()
})
afterAll(async () => {
  await app.close()
  await server.stop()
})

async function call(method: string, path: string, body?: object, from: TokenSet = as) {
  const reply = await app.inject({
    method: method as 'GET',
    url: `/api/v1/user/site/${site}${path}`,
    headers: { authorization: `Bearer ${from.accessToken}` },
    ...(body ? { payload: body } : {}),
  })
  return { status: reply.statusCode, body: reply.json() }
}
const rules = (domain: number) => `/domain/${domain}/toyRules`

test('a kind accepts no field that it does not enforce', async () => {
  const cache = { type: 'image', ttl: 60 }
  for (const [field, value] of [
    ['mode', 'observe'],
    ['expiresAt', '2030-01-01T00:00:00Z'],
  ]) {
    const { status, body } = await call('POST', '/setting/caches', { ...cache, [field!]: value })
    expect([status, body.extra]).toEqual([400, [{ field, reason: 'unknownField' }]])
  }
  const { id } = (await call('POST', '/setting/caches', { ...cache, memo: 'pictures' })).body.data
  const [row] = (await call('GET', '/setting/caches')).body.data
  expect(row).toMatchObject({ id, memo: 'pictures', enabled: true })
  expect(row).not.toHaveProperty('mode')
  expect(row).not.toHaveProperty('expiresAt')
  const observed = await call('PUT', '/setting/caches', { ids: [id], enabled: true, mode: 'observe' })
  expect(observed.body.extra).toEqual([{ field: 'mode', reason: 'unknownField' }])
  expect((await call('PUT', '/setting/caches', { ids: [id], enabled: false })).status).toBe(200)
  expect((await call('GET', '/setting/caches')).body.data[0].enabled).toBe(false)
})

test('a rule that has already expired is rejected, and one that expired since can be changed', async () => {
  const rule = { ips: ['192.0.2.1'], expiresAt: '2020-01-01T00:00:00Z' }
  const past = [{ field: 'expiresAt', reason: 'inThePast' }]
  const refused = await call('POST', '/firewall/l7/blacklists', rule)
  expect([refused.status, refused.body.extra]).toEqual([400, past])
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = (await call('POST', '/firewall/l7/blacklists', { ...rule, expiresAt: later })).body.data
  expect((await call('PUT', '/firewall/l7/blacklist', { ...rule, id })).body.extra).toEqual(past)
  await server.services.database.pool.query('update rules set expires_at = $1 where id = $2', [rule.expiresAt, id])
  expect((await call('PUT', '/firewall/l7/blacklist', { ...rule, id, memo: 'was a flood' })).status).toBe(200)
  expect((await call('DELETE', '/firewall/l7/blacklists', { ids: [id] })).status).toBe(200)
})

test('a cache rule for paths or extensions must list some', async () => {
  for (const type of ['path', 'extension']) {
    const { status, body } = await call('POST', '/setting/caches', { type, ttl: 60 })
    expect([type, status, body.extra]).toEqual([type, 400, [{ field: 'values', reason: 'required' }]])
  }
  const { id } = (await call('POST', '/setting/caches', { type: 'path', values: ['/a/'], ttl: 60 })).body.data
  const emptied = await call('PUT', '/setting/cache', { id, type: 'path', values: [], ttl: 60 })
  expect(emptied.body.extra).toEqual([{ field: 'values', reason: 'required' }])
})

test('a cache rule returns all of its fields, and contradictions are rejected at their field', async () => {
  const cache = { type: 'path', values: ['/b/'], ttl: 60 }
  const whole = {
    ...{
      ...cache,
      browserTtl: 5,
      origin: 'respect',
      query: 'only',
      queryNames: ['page'],
      keyHeaders: ['Accept-Language'],
    },
    ...{ keyCookies: ['theme'], keyDevice: true, slice: true, methods: ['GET'], statuses: [{ status: 404, ttl: 5 }] },
    ...{
      staleWhileRevalidate: 9,
      staleIfError: 0,
      bypassCookies: ['in_*'],
      bypassHeaders: ['X-Preview'],
      bypassQuery: ['p'],
    },
  }
  const { id } = (await call('POST', '/setting/caches', whole)).body.data
  const { data } = (await call('GET', '/setting/caches?pageSize=100')).body
  expect(data.find((one: { id: number }) => one.id === id)).toMatchObject(whole)
  for (const [wrong, field] of [
    [{ query: 'only' }, 'queryNames'],
    [{ ignoreQuery: true, query: 'only', queryNames: ['a'] }, 'query'],
    [{ queryNames: ['a=b'] }, 'queryNames.0'],
    [{ type: 'regex', values: ['('] }, 'values.0'],
    [{ type: 'exact', values: [] }, 'values'],
    [{ methods: ['HEAD'] }, 'methods'],
    [{ methods: ['POST'] }, 'methods.0'],
    [{ statuses: [{ status: 206, ttl: 1 }] }, 'statuses.0.status'],
    [
      {
        statuses: [
          { status: 404, ttl: 1 },
          { status: 404, ttl: 2 },
        ],
      },
      'statuses.1.status',
    ],
    [{ keyHeaders: ['Cookie'] }, 'keyHeaders.0'],
    [{ keyHeaders: ['X-Forwarded-Host'] }, 'keyHeaders.0'],
    [{ bypassCookies: ['a;b'] }, 'bypassCookies.0'],
    [{ browserTtl: -1 }, 'browserTtl'],
  ] as const) {
    const { status, body } = await call('POST', '/setting/caches', { ...cache, ...wrong })
    expect([status, body.extra?.[0]?.field], JSON.stringify(wrong)).toEqual([
      field.startsWith('statuses.1') ? 409 : 400,
      field,
    ])
  }
  expect((await call('DELETE', '/setting/caches', { ids: [id] })).status).toBe(200)
})

test('the cache simulation accepts URLs of the site only, and reports if no node can answer', async () => {
  const ask = async (body: object) => {
    const reply = await call('POST', '/cache/simulation', body)
    return [reply.status, reply.body.extra?.[0]?.field ?? reply.body.code]
  }
  expect(await ask({ url: 'https://elsewhere.example.net/' })).toEqual([400, 'url'])
  expect(await ask({ url: '/a', rule: { type: 'path', ttl: 1 } })).toEqual([400, 'rule.values'])
  expect(await ask({ url: '/a', rule: { type: 'path', values: ['/'], ttl: 1 }, id: 2_000_000 })).toEqual([404, 101018])
  expect(await ask({ url: '/a?b=1' })).toEqual([502, 202001])
})

test('rules of a domain are its own: listed, limited, changed and removed separately from other domains’', async () => {
  const [one, other] = domains as [number, number]
  const { id } = (await call('POST', rules(one), { urlRegex: '^/a' })).body.data
  expect((await call('POST', rules(other), { urlRegex: '^/b' })).status).toBe(200)
  expect((await call('GET', rules(one))).body).toMatchObject({
    total: 1,
    data: [{ id, urlRegex: '^/a', enabled: true }],
  })
  const across = await call('PUT', `/domain/${other}/toyRule`, { id, urlRegex: '^/stolen' })
  expect(across.body.code).toBe(101018)
  expect((await call('POST', rules(one), { urlRegex: '^/c' })).status).toBe(200)
  expect((await call('POST', rules(one), { urlRegex: '^/d' })).body.code).toBe(101029)
  expect((await call('GET', rules(999_999))).body.code).toBe(101018)
  expect((await call('DELETE', rules(one), { ids: [id] })).status).toBe(200)
  expect((await call('GET', rules(one))).body.total).toBe(1)
})

test('rules of a domain are published with it, appear in its history, and come back with a restore', async () => {
  const [one] = domains as [number]
  const revision = async () => (await call('GET', '')).body.data.revision as number
  const before = await revision()
  const { id } = (await call('POST', rules(one), { urlRegex: '^/e' })).body.data
  const { changes } = (await call('GET', `/history/diff?from=${before}&to=${before + 1}`)).body.data
  expect(changes).toMatchObject([{ path: `domains/a.example.com/toyRules/${id}`, kind: 'added' }])
  const { rows } = await server.services.database.pool.query(
    'select bytes from feed_entries join objects on hash = artefact where site_id = $1',
    [site],
  )
  const preview = JSON.parse(rows[0].bytes.toString()).domains[0]
  expect([preview.id, preview.originHost]).toEqual([one, 'has-2.example'])
  await call('DELETE', '/domains', { ids: [one] })
  await call('POST', '/history/restore', { revision: before + 1 })
  expect((await call('GET', rules(one))).body.data.map((rule: { id: number }) => rule.id)).toContain(id)
  expect((await call('GET', `/history/diff?from=${before + 1}&to=${await revision()}`)).body.data.changes).toEqual([])
})

test('another tenant’s site does not show the rules of its domains', async () => {
  await server.makeCustomer('stranger')
  const stranger = await server.signIn('user', 'stranger')
  expect((await call('GET', rules(domains[0]!), undefined, stranger)).body.code).toBe(101018)
})
