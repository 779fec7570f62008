/**
 * Every call of the contract as every kind of caller: accepted exactly if the caller holds the permission, and
 * otherwise rejected with the specific error of its case. Generated from the contract, so that no call is forgotten. An
 * accepted caller sends nothing that could succeed: an unknown field, or an id that does not exist.
 */
import { randomBytes } from 'node:crypto'
import { apiTokenPrefix } from '@breakwater/contract/auth/api-tokens.ts'
import type { AnyEndpoint, Tier } from '@breakwater/contract/endpoint.ts'
import { api } from '@breakwater/contract/index.ts'
import { type Permission, permissionsOfTier, permissionTree } from '@breakwater/contract/permissions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '../auth/passwords.ts'
import { startSession } from '../auth/sessions.ts'
import { hashToken } from '../auth/tokens.ts'
import { withSystem } from '../db/database.ts'
import { makeTestServer, type TestServer, testPassword } from './server.ts'

const everything = process.env.BREAKWATER_TESTS === 'all'
const endpoints = Object.values(api).flatMap((group) => Object.values(group) as AnyEndpoint[])
type Call = { endpoint: AnyEndpoint; tier: Tier; name: string }
const calls: Call[] = endpoints.flatMap((endpoint) =>
  (endpoint.tiers.length > 0 ? endpoint.tiers : (['user'] as const)).map((tier) => ({
    endpoint,
    tier,
    name: `${tier} ${endpoint.id}`,
  })),
)

/** A kind of caller: the permissions it holds, and whether it acts for itself. */
type Who = {
  name: string
  tier: Tier
  keys: ReadonlySet<Permission>
  by: 'person' | 'program' | 'deputy'
  /** The answer to every call, before anything else is checked. */
  always?: [number, number, string?]
  token: string
}

const readers = (tier: Tier) => permissionsOfTier(tier).filter((key) => key.endsWith('.read'))
const roleKeys: Record<string, (tier: Tier) => readonly Permission[]> = {
  everything: permissionsOfTier,
  reader: readers,
  security: () => [...permissionTree.firewall, ...permissionTree.logs],
  people: () => [...permissionTree.accounts, ...permissionTree.roles, ...permissionTree.audit],
  nothing: () => [],
}

let server: TestServer
let everybody: Who[]
let strangersSite: number

beforeAll(async () => {
  server = await makeTestServer()
  await server.makeCustomer('stranger')
  strangersSite = await server.makeSite(await server.openSession('user', 'stranger'), 'theirs')
  const passwordHash = await hashPassword(testPassword)
  everybody = []
  const { pool, db } = server.services.database
  const names = { user: 'customer', client: 'operator', admin: 'vendor' }
  const open = async (accountId: number, deputy?: number) => {
    const acting = deputy === undefined ? undefined : { accountId: deputy, reason: 'test', seconds: 600 }
    const session = await withSystem(db, (tx) => startSession(tx, accountId, { address: '', userAgent: '' }, acting))
    return session.accessToken
  }
  const operatorId: number = (await pool.query("select id from accounts where account = 'operator'")).rows[0].id
  for (const tier of ['user', 'client', 'admin'] as const) {
    const all = new Set(permissionsOfTier(tier))
    const root = (await pool.query('select id, tenant_id from accounts where account = $1', [names[tier]])).rows[0]
    everybody.push({ name: `${tier} root`, tier, keys: all, by: 'person', token: await open(root.id) })
    for (const [role, keysOf] of Object.entries(roleKeys)) {
      const keys = keysOf(tier)
      const { rows } = await pool.query(
        `insert into accounts (tenant_id, tier, account, password_hash, permissions, parent_id)
         values ($1, $2, $3, $4, $5, $6) returning id`,
        [root.tenant_id, tier, `${tier}-${role}`, passwordHash, keys, root.id],
      )
      const held = new Set(keys.filter((key) => all.has(key)))
      everybody.push({ name: `${tier} ${role}`, tier, keys: held, by: 'person', token: await open(rows[0].id) })
    }
    if (tier === 'user') {
      const token = await open(root.id, operatorId)
      everybody.push({ name: 'user acted for', tier, keys: all, by: 'deputy', token })
    }
    if (tier === 'admin') continue
    type Row = { keys?: string[]; sites?: number[]; cidrs?: string[]; ends?: string }
    const program = async (name: string, { keys, sites, cidrs = [], ends }: Row, more: Partial<Who> = {}) => {
      const token = apiTokenPrefix + randomBytes(32).toString('base64url')
      await pool.query(
        `insert into api_tokens (tenant_id, account_id, name, token_hash, prefix, permissions, site_ids, cidrs, expires_at)
         values ($1, $2, $3, $4, 'bwt_', $5, $6, $7, $8)`,
        [root.tenant_id, root.id, name, hashToken(token), keys ?? null, sites ?? null, cidrs, ends ?? null],
      )
      everybody.push({ name: `${tier} token ${name}`, tier, keys: all, by: 'program', token, ...more })
    }
    await program('full', {})
    await program('narrow', { keys: ['sites.read'] }, { keys: new Set<Permission>(['sites.read']) })
    const bySite = new Set([...all].filter((key) => key !== 'sites.create'))
    await program('of one site', { sites: [999_999] }, { keys: bySite })
    await program('expired', { ends: '2020-01-01' }, { always: [401, 101014] })
    await program('from elsewhere', { cidrs: ['192.0.2.0/24'] }, { always: [403, 101018, 'sourceAddress'] })
  }
})
afterAll(() => server.stop())

/** None of the requested ids exist, so an accepted caller changes nothing. */
const addressOf = ({ endpoint, tier }: Call, site = 999_999) =>
  endpoint.path
    .replace(':tier', tier)
    .replace(':siteId', String(site))
    .replace(':hash', '0'.repeat(64))
    .replace(/:(\w+)/g, '999999')

/** The required answer to a call. Undefined if it is accepted; what it then answers is not checked here. */
function expected({ endpoint, tier }: Call, who: Who): [number, number, string?] | undefined {
  if (endpoint.can === 'public') return undefined
  if (who.always && who.tier === tier) return who.always
  // Under /:tier/ a token of another console is invalid; a path for some consoles only is forbidden to the others.
  if (endpoint.path.startsWith('/:tier') && who.tier !== tier) return [401, 101013]
  if (endpoint.tiers.length > 0 && !endpoint.tiers.includes(who.tier)) return [403, 101018]
  if (who.always) return who.always
  if (endpoint.personOnly && who.by === 'program') return [403, 101018, 'apiToken']
  if (endpoint.personOnly && who.by === 'deputy') return [403, 101018, 'actingForAnother']
  if (endpoint.can === 'signedIn' || who.keys.has(endpoint.can)) return undefined
  return [403, 101018]
}

/**
 * For callers that are rejected whatever the call is, such as those of another console or with an expired token: all of
 * them send every call in `script/test --all`; otherwise each sends every third, and every call is sent by some of
 * them.
 */
const isItsTurn = (call: number, who: number): boolean => everything || (call + who) % 3 === 0

/**
 * Other consoles' calls are sent by each console's root and its token with all permissions. Of the calls that would be
 * accepted, streams never end, and a write without input (ending one's other sessions) would really be carried out.
 */
function isWorthAsking({ endpoint, tier }: Call, who: Who, isRefused: boolean): boolean {
  if (who.tier !== tier && !/ root$| full$/.test(who.name)) return false
  const takesNothing = endpoint.method !== 'GET' && !endpoint.body && !/:(?!tier)/.test(endpoint.path)
  return isRefused || (endpoint.kind !== 'stream' && !takesNothing)
}

async function ask(one: Call, token: string | undefined, site?: number) {
  const body = one.endpoint.body ? { surprise: 1 } : undefined
  const { status, body: answer } = await server.call(one.endpoint.method, addressOf(one, site), {
    ...(body ? { body } : {}),
    headers: token ? { authorization: `Bearer ${token}` } : {},
  })
  return { status, code: answer?.code as number | undefined, extra: answer?.extra as unknown }
}

test('every call is accepted or rejected by the permissions of every kind of caller', async () => {
  const wrong: string[] = []
  let asked = 0
  await Promise.all(
    everybody.map(async (who, place) => {
      for (const [turn, one] of calls.entries()) {
        const wanted = expected(one, who)
        if ((who.always || who.tier !== one.tier) && !isItsTurn(turn, place)) continue
        if (one.endpoint.can === 'public' || !isWorthAsking(one, who, wanted !== undefined)) continue
        const { status, code, extra } = await ask(one, who.token)
        asked += 1
        const isRefused = status === 401 || (status === 403 && code === 101018)
        const fits = wanted
          ? status === wanted[0] && code === wanted[1] && (wanted[2] === undefined || extra === wanted[2])
          : status < 500 && status !== 401 && !(isRefused && one.endpoint.body !== undefined)
        if (!fits)
          wrong.push(
            `${who.name}: ${one.name} answered ${status} ${code} ${JSON.stringify(extra)}, not ${wanted ?? 'let in'}`,
          )
      }
    }),
  )
  expect(wrong).toEqual([])
  expect(asked).toBeGreaterThan(2000)
}, 600_000)

test('a signed-out caller, a made-up token and one of another kind get 101013 everywhere', async () => {
  const wrong: string[] = []
  for (const one of calls.filter(({ endpoint }) => endpoint.can !== 'public')) {
    for (const token of [undefined, 'made-up-token-of-nobody', `${apiTokenPrefix}made-up-token-of-nobody`]) {
      const { status, code } = await ask(one, token)
      if (status !== 401 || code !== 101013) wrong.push(`${one.name} answered ${status} ${code}`)
    }
  }
  expect(wrong).toEqual([])
})

test('for an API token, too, another tenant’s site is like one that does not exist', async () => {
  const program = everybody.find(({ name }) => name === 'user token full')!
  const ofSites = calls.filter(
    ({ endpoint, tier }) => tier === 'user' && endpoint.path.includes(':siteId') && !endpoint.body && !endpoint.query,
  )
  expect(ofSites.length).toBeGreaterThan(5)
  for (const one of ofSites) {
    const foreign = await ask(one, program.token, strangersSite)
    expect([one.name, foreign]).toEqual([one.name, await ask(one, program.token)])
    expect([one.name, foreign.code]).toEqual([one.name, 101018])
  }
})
