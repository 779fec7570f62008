/** Invalid input to delivery settings: the right code at the right field, and nothing saved. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOutboundGuard } from '../outbound/guard.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let as: TokenSet
let site: number
let of: string
let modules: { headers: number; redirects: number; rewrites: number }
let theirDomain: number
const origin = { ip: '198.41.0.4', port: 80 }

beforeAll(async () => {
  server = await makeTestServer({ publicUrl: 'https://console.example.net' })
  as = await server.openSession('user', 'customer')
  site = await server.makeSite(as, 'shop')
  of = `/user/site/${site}`
  const make = async (kind: string) =>
    (await call('POST', `${of}/module/${kind}`, { modules: [{ name: kind }] })).body.data.ids[0] as number
  modules = {
    headers: await make('customHeaders'),
    redirects: await make('urlRedirects'),
    rewrites: await make('proxyRewrites'),
  }
  await server.makeCustomer('stranger')
  const stranger = await server.openSession('user', 'stranger')
  const theirs = await server.makeSite(stranger, 'theirs')
  const domains = [{ name: 'xn--pypal-4ve.example', upstreams: [origin] }]
  const made = await server.call('POST', `/user/site/${theirs}/domains`, { as: stranger, body: { domains } })
  theirDomain = made.body.data.ids[0]
  await server.services.database.pool.query(
    `insert into nodes (operator_id, zone_id, name, ip, public_addresses, seal_key, certificate_serial)
     select operator_id, id, 'n', '198.41.0.77', array['2001:503:ba3e::77'], '\\x00', 'bad input' from zones limit 1`,
  )
  await server.services.database.pool.query("update domains set ownership = 'proven' where id = $1", [theirDomain])
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) => server.call(method, path, { as, body })

/**
 * Row counts of everything that can be set, and the site's revision: they would reveal anything saved by a rejected
 * call.
 */
async function saved() {
  const { rows } = await server.services.database.pool.query(
    `select (select count(*) from domains) as domains, (select count(*) from rules) as rules,
       (select count(*) from certificates) as certificates, (select count(*) from secrets) as secrets`,
  )
  return { ...rows[0], revision: (await call('GET', of)).body.data.revision }
}

const domain = (name: unknown, upstream: object = {}) => ({ name, upstreams: [{ ...origin, ...upstream }] })
const domains = (...all: object[]) => ({ domains: all })
const header = (one: object) => ({ items: [{ type: 'response', key: 'X-A', value: 'a', ...one }] })
const path = (one: object) => ({ items: [{ urlRegex: '^/a', target: '/b', ...one }] })
const lines = Array.from({ length: 5001 }, (_, n) => `198.18.${n >> 8}.${n & 255}`)
const names = Array.from({ length: 1000 }, (_, n) => `n${n}.example.com`)

type Refused = [what: string, place: () => string, body: () => object, status: number, code: number, where?: string]
const at = (...parts: string[]) => `${of}/${parts.join('/')}`
const headers = () => at('module/customHeader', `${modules.headers}`, 'headers')
const redirects = () => at('module/urlRedirect', `${modules.redirects}`, 'rules')
const rewrites = () => at('module/proxyRewrite', `${modules.rewrites}`, 'rules')
const caches = () => at('setting/caches')
const ofSite = () => at('domains')

test.each<Refused>([
  ['5,001 addresses', () => at('firewall/l7/blacklists'), () => ({ ips: lines }), 400, 101029, 'ips'],
  ['an expression that explodes', redirects, () => path({ urlRegex: '^/(a+)+$' }), 400, 101003, 'items.0.urlRegex'],
  ['a second line in a header', headers, () => header({ value: 'a\r\nX-B: b' }), 400, 101003, 'items.0.value'],
  ['a NUL in a header', headers, () => header({ value: 'a\0' }), 400, 101003, 'items.0.value'],
  ['a second line in a name', headers, () => header({ key: 'X-A\r\nX-B' }), 400, 101003, 'items.0.key'],
  ['a second line in a redirect', redirects, () => path({ target: '/b\r\nX: c' }), 400, 101003, 'items.0.target'],
  ['a NUL in a redirect', redirects, () => path({ target: '/b\0' }), 400, 101003, 'items.0.target'],
  ['a variable of nginx', redirects, () => path({ target: '/$request_uri' }), 400, 101003, 'items.0.target'],
  ['a second line in a rewrite', rewrites, () => path({ target: '/b\r\nX: c' }), 400, 101003, 'items.0.target'],
  ['a second line in a path', caches, () => ({ type: 'path', values: ['/a\r\nb'], ttl: 60 }), 400, 101003, 'values.0'],
  ['a NUL in a path', caches, () => ({ type: 'path', values: ['/a\0b'], ttl: 60 }), 400, 101003, 'values.0'],
  ['a star in the middle', ofSite, () => domains(domain('a.*.b.com')), 400, 101003, 'domains.0.name'],
  ['a second line in a domain', ofSite, () => domains(domain('a.com\r\nb')), 400, 101003, 'domains.0.name'],
  ['the punycode twin of a name in use', ofSite, () => domains(domain('pаypal.example')), 409, 401001],
  ['a name in use, in capitals and with a dot', ofSite, () => domains(domain('XN--pypal-4ve.EXAMPLE.')), 409, 401001],
  [
    'the cloud’s metadata',
    ofSite,
    () => domains(domain('a.com', { ip: '169.254.169.254' })),
    400,
    101003,
    'domains.0.upstreams.0.ip',
  ],
  [
    'a private address in one of IPv6',
    ofSite,
    () => domains(domain('a.com', { ip: '::ffff:a00:1' })),
    400,
    101003,
    'domains.0.upstreams.0.ip',
  ],
  ...(
    [
      ['a node', '198.41.0.77'],
      ['a node, spelled differently', '2001:503:BA3E:0:0:0:0:77'],
      ['the console', 'Console.Example.NET.'],
      ['a name of the edge', 'shop.g1.edge.example.net'],
    ] as const
  ).map(
    ([what, ip]): Refused => [
      `an origin that is ${what}`,
      ofSite,
      () => domains(domain('b.com'), domain('a.com', { ip })),
      ...([400, 101003, 'domains.1.upstreams.0.ip'] as const),
    ],
  ),
  ['port 0', ofSite, () => domains(domain('a.com', { port: 0 })), 400, 101003, 'domains.0.upstreams.0.port'],
  ['port 65536', ofSite, () => domains(domain('a.com', { port: 65_536 })), 400, 101003, 'domains.0.upstreams.0.port'],
  ['port 22 of a site', () => at('setting/ports'), () => ({ ports: [22] }), 400, 401003],
  ['a map from port 22', ofSite, () => domains({ ...domain('a.com'), portMap: { 22: 80 } }), 400, 401003],
  [
    'a map from port 0',
    ofSite,
    () => domains({ ...domain('a.com'), portMap: { 0: 80 } }),
    400,
    101003,
    'domains.0.portMap.0',
  ],
  ['an expression that is none', redirects, () => path({ urlRegex: '(' }), 400, 101003, 'items.0.urlRegex'],
  [
    'a group of an expression that is none',
    rewrites,
    () => path({ urlRegex: '(', target: '/$1' }),
    400,
    101003,
    'items.0.urlRegex',
  ],
  ['a redirect to itself', redirects, () => path({ target: '/a' }), 400, 101003, 'items.0.target'],
  ['a name twice', ofSite, () => domains(domain('b.com'), domain('c.com'), domain('B.com.')), 400, 101009],
  [
    'a wrong one behind a right one',
    ofSite,
    () => domains(domain('b.com'), domain('b..c')),
    400,
    101003,
    'domains.1.name',
  ],
  [
    'another customer’s domain as a pattern',
    () => at('domains/createFrom'),
    () => ({ domainID: theirDomain, names: ['x.example.com'] }),
    404,
    101018,
  ],
  ['a thousand names without the room', () => at('simpleDomains'), () => ({ names }), 409, 401002],
  [
    'what is no certificate',
    () => at('certificate'),
    () => ({ name: 'c', certificate: '$\0', privateKey: 'x' }),
    400,
    101003,
    'certificate',
  ],
  ['10 MB', caches, () => ({ type: 'path', values: ['/'.padEnd(10_000_000, 'a')], ttl: 60 }), 413, 101030, 'body'],
])('%s is rejected at its field, and nothing is saved', async (_what, place, body, status, code, where) => {
  const before = await saved()
  const { status: answered, body: reply } = await call('POST', place(), body())
  expect([answered, reply.code, reply.extra?.[0]?.field]).toEqual([status, code, where])
  expect(await saved()).toEqual(before)
})

test('an origin that is neither address nor name is rejected at its field, in every call that takes one', async () => {
  const ips = ['198.41.0.4:80', 'host:80', 'host:80:80', 'fade:80:80', '[::ffff:7f00:1]', ':', 'unix:', '127.0.0.1.']
  ips.push('1.2.3.4.5', 'a..b', '.')
  const wrong = (fieldOf: (n: number) => string) => [
    400,
    ips.map((_, n) => ({ field: fieldOf(n), reason: 'wrongFormat' })),
  ]
  const upstreams = ips.map((ip) => ({ ...origin, ip }))
  const each = ips.map((ip, n) => domain(`a${n}.com`, { ip }))
  for (const [method, place, body, fieldOf] of [
    ['POST', ofSite(), domains(...each), (n: number) => `domains.${n}.upstreams.0.ip`],
    ['POST', at('simpleDomains'), { names: ['a.com'], upstreams }, (n: number) => `upstreams.${n}.ip`],
    ['PUT', at('domains/upstreams'), { ids: [1], upstreams }, (n: number) => `upstreams.${n}.ip`],
  ] as const) {
    const { status, body: reply } = await call(method, place, body)
    expect([place, status, reply.extra]).toEqual([place, ...wrong(fieldOf)])
  }
  const moved = { ids: [1], fromIP: '198.41.0.4', toIP: 'host:80' }
  const { status, body: reply } = await call('PUT', at('domains/modifyUpstreamIPs'), moved)
  expect([status, reply.extra]).toEqual([400, [{ field: 'toIP', reason: 'wrongFormat' }]])
})

test('loopback mapped into IPv6 counts as loopback: refused unless the operator allows it', async () => {
  const guard = makeOutboundGuard([])
  for (const ip of ['::ffff:7f00:1', '::ffff:127.0.0.1', '0:0:0:0:0:ffff:7f00:1'])
    expect([ip, guard.mayReach(ip), makeOutboundGuard(['127.0.0.0/8']).mayReach(ip)]).toEqual([ip, false, true])
})

test('ports that every node uses cannot be added to a zone, and no port can be added twice', async () => {
  const operator = await server.openSession('client', 'operator')
  const [{ id }] = (await server.call('GET', '/client/zones', { as: operator })).body.data
  const add = async (port: number) => {
    const { status, body } = await server.call('POST', `/client/zone/${id}/setting/ports`, {
      as: operator,
      body: { port },
    })
    return [status, body.code, body.extra]
  }
  for (const port of [22, 80, 443])
    expect(await add(port)).toEqual([400, 101003, [{ field: 'port', reason: 'reservedPort' }]])
  for (const port of [0, 65_536])
    expect(await add(port)).toEqual([400, 101003, [{ field: 'port', reason: 'wrongFormat' }]])
  expect((await add(8090))[0]).toBe(200)
  expect((await add(8090)).slice(0, 2)).toEqual([409, 101025])
})

test('a dollar sign in a header value is literal and saved unchanged', async () => {
  expect((await call('POST', headers(), header({ value: '$request_uri $host' }))).status).toBe(200)
  expect((await call('GET', headers())).body.data[0].value).toBe('$request_uri $host')
})
