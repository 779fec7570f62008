/** Every reading call of the contract, by callers with access to one of two sites of a customer. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import { api } from '@breakwater/contract/index.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePerson, signInPerson } from './people.ts'
import { sampleOf } from './sample-input.ts'
import { makeTestServer, type TestServer } from './server.ts'

const reads = Object.values(api)
  .flatMap((group) => Object.values(group) as AnyEndpoint[])
  .filter(({ tiers, path, method, audit, kind, can, personOnly }) => {
    const isOfUser = tiers.length === 0 || (tiers as readonly string[]).includes('user')
    return (
      isOfUser &&
      can !== 'public' &&
      !personOnly &&
      kind !== 'stream' &&
      !path.includes(':hash') &&
      (method === 'GET' || !audit || kind === 'raw')
    )
  })

let server: TestServer
let shown: number
let hidden: number
/** Several of each kind: rate limits are per session, and these tests send many requests per second. */
const callers: Record<string, TokenSet[]> = { 'a token': [], 'a sub-account': [] }
let turn = 0
const nextOf = (who: string): TokenSet => {
  turn += 1
  return callers[who]![turn % callers[who]!.length]!
}
const callersOfAKind = 8

/** A site with its mark in every text. */
async function makeMarkedSite(as: TokenSet, mark: string): Promise<number> {
  const site = await server.makeSite(as, mark)
  const write = async (method: string, path: string, body: object) => {
    const reply = await server.call(method, `/user/site/${site}${path}`, { as, body })
    expect([path, reply.status, reply.body]).toEqual([path, 200, reply.body])
  }
  const upstreams = [{ ip: '127.0.0.1', port: 80, memo: mark }]
  await write('POST', '/domains', { domains: [{ name: `${mark}.example.com`, upstreams }] })
  await write('POST', '/firewall/l7/blacklists', { ips: ['192.0.2.1'], memo: mark })
  await write('POST', '/firewall/l7/secondRates', { urlRegex: `^/${mark}`, rate: 1, burst: 1, memo: mark })
  return site
}

beforeAll(async () => {
  server = await makeTestServer()
  const customer = await server.signIn('user', 'customer')
  hidden = await makeMarkedSite(customer, 'hidden-one')
  shown = await makeMarkedSite(customer, 'shown-two')
  const siteIDs = [hidden]
  await server.call('POST', '/apiToken', { as: customer, body: { name: 'hidden-one', siteIDs } })
  for (let n = 0; n < callersOfAKind; n++) {
    const body = { name: `narrow ${n}`, siteIDs: [shown] }
    const made = await server.call('POST', '/apiToken', { as: customer, body })
    callers['a token']!.push({ accessToken: made.body.data.token, refreshToken: '', tokenType: 'Bearer' })
  }
  const permissions = ['sites.read', 'domains.read', 'firewall.read', 'audit.read', 'logs.read', 'statistics.read']
  const granted = await makePerson(server, 'granted', { console: 'user', as: customer, permissions })
  await server.call('PATCH', '/user/site/users', { as: customer, body: { siteIDs: [shown], userIDs: [granted] } })
  for (let n = 0; n < callersOfAKind; n++) callers['a sub-account']!.push(await signInPerson(server, 'user', 'granted'))
})
afterAll(() => server.stop())

const queries: Record<string, string> = {
  'site.domain.settings': '?domainName=hidden-one.example.com',
  'site.history.diff': '?from=1&to=1',
}
const bodies: Record<string, object> = {
  'site.firewall.backtest': { kind: 'denyRules', rule: { ips: ['192.0.2.1'] } },
  'site.cache.simulate': { url: '/' },
  'site.request.trace': { url: '/' },
  'site.module.luaAcl.rule.backtest': {
    rule: { name: 'a', conditions: { field: 'path', operator: 'eq', values: ['/a'] }, action: 'block' },
  },
}
const now = Math.floor(Date.now() / 1000)
const bodyOf = ({ id, body }: AnyEndpoint, siteIDs?: number[]) => {
  if (bodies[id]) return bodies[id]
  const sample = sampleOf(body!) as Record<string, unknown>
  const filters = [
    'siteID',
    'siteIDs',
    'domainIDs',
    'zoneIDs',
    'accountID',
    'accountName',
    'proxyName',
    'url',
    'reqID',
    'method',
    'action',
  ]
  for (const name of filters) delete sample[name]
  if ('startTime' in sample) Object.assign(sample, { startTime: now - 3600, endTime: now + 60 })
  return { ...sample, ...(siteIDs && 'siteIDs' in (sampleOf(body!) as object) ? { siteIDs } : {}) }
}

describe.each(['a token', 'a sub-account'])('%s with access to one site', (who) => {
  test.each(reads)('gets nothing about another site from $id', async (endpoint) => {
    const as = nextOf(who)
    const ask = (siteId: number, siteIDs?: number[]) =>
      server.call(
        endpoint.method,
        endpoint.path
          .replace(':tier', 'user')
          .replace(':siteId', String(siteId))
          .replace(/:(\w+)/g, '1') + (queries[endpoint.id] ?? ''),
        { as, body: endpoint.body && bodyOf(endpoint, siteIDs) },
      )
    for (const reply of [await ask(hidden), await ask(shown), await ask(shown, [hidden])]) {
      expect(JSON.stringify(reply.body)).not.toContain('hidden-one')
    }
    if (endpoint.path.includes(':siteId')) expect((await ask(hidden)).status).toBe(403)
  })

  test('gets only its own site from the audit log', async () => {
    const { body } = await server.call('POST', '/user/auditLogs', { as: nextOf(who), body: { pageSize: 500 } })
    const entries = body.data as { siteID: number | null }[]
    const ids = new Set(entries.map(({ siteID }) => siteID))
    expect(ids.has(hidden)).toBe(false)
    // A sub-account sees only its own entries; a token sees those of its creator.
    if (who === 'a token') expect([...ids]).toEqual([shown])
  })
})
