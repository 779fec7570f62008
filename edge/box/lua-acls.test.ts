/** The Lua ACL on the wire: rule texts, parsed and flattened like the control plane does, evaluated by nginx. */
import type { Explanation, SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aclRule as rule } from './acl-rule.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { ask, header, type Version, versions } from './transparent/ask.ts'

let box: Box
let origin: StubOrigin
let artefact: string

const rules = [
  rule(1, 'when path startsWith "/open" and header("X-Key") = "letmein" then allow'),
  rule(2, 'when path startsWith "/open" then block'),
  rule(3, 'when path = "/watched" then block', { mode: 'observe' }),
  rule(4, 'when path = "/ended" then block', { expiresAt: 1 }),
  rule(5, 'when path = "/human" then challenge shield'),
  rule(6, 'when path = "/arg" and arg("id") matches "^[0-9]+$" and not arg("id") = "7" then block'),
  rule(7, 'when path = "/cookie" and (cookie("role") = "guest" or not cookie("role") exists) then block'),
  rule(8, 'when path = "/post" and method in {POST, PUT} and bodyBytes > 5 then block'),
  rule(9, 'when path = "/away" and not address in {127.0.0.0/8, ::1} then block'),
  rule(
    10,
    'when path = "/here" and address = 127.0.0.1 and hour <= 23 and weekday in {1, 2, 3, 4, 5, 6, 7} then block',
  ),
  rule(11, 'when path startsWith "/files/" and extension in {"php", "sql"} then block'),
  rule(12, 'when path = "/agent" and (userAgent contains "Bot" or referer endsWith ".evil/") then block'),
  rule(13, 'when path = "/plain" and scheme = "http" and host != "other.test" then block'),
  rule(25, 'when path = "/ours" and asn in {0, 64512} and not asn = 13335 then block'),
  rule(26, 'when path = "/bots" and not bot exists then block'),
  rule(27, 'when path = "/bots/one" and bot in {"OtherBot", "ExampleBot"} then block'),
  rule(14, 'when path = "/land" and country = ZZ and query contains "x=" then block'),
  rule(15, 'when path = "/secret" then block'),
  rule(16, 'when path startsWith "/moved" then redirect 308 "https://elsewhere.test/a?b"'),
  rule(17, 'when path startsWith "/told" then header response "X-Told" "yes"'),
  rule(18, 'when path startsWith "/told" then header response "X-Origin-Says" ""'),
  rule(19, 'when path = "/told/skipped" then skip {bodyRules}'),
  rule(20, 'when path startsWith "/slow" then limit 1 burst 2'),
  rule(21, 'when path startsWith "/slow/er" then block'),
  rule(22, 'when path startsWith "/seen/" then redirect 302 "/"', { mode: 'observe' }),
  rule(23, 'when path startsWith "/seen/" then header response "X-Told" "yes"', { mode: 'observe' }),
  rule(28, 'when path = "/crawled" and not bot exists then block'),
  rule(24, 'when path startsWith "/seen/" then limit 1', { mode: 'observe' }),
]

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    response.setHeader('x-origin-says', 'so')
    response.setHeader('cache-control', request.url?.startsWith('/told') ? 'max-age=60' : 'no-store').end('origin')
  })
  box = await Box.start({ workers: 1 }, (disk) => {
    const bodyRule = {
      urlRegex: '',
      methods: [],
      contains: 'evil',
      oversize: 'block' as const,
      mode: 'enforce' as const,
    }
    const entry = disk.site({
      ...{ origins: [{ port: origin.port }], requires: ['luaAcls', 'aclActions', 'aclBots'], luaAcls: rules },
      firewall: { bodyRules: [{ ...bodyRule, id: 50 }] },
    })
    artefact = entry.artefact ?? ''
    disk.feed(entry)
    disk.feed(disk.site({ site: 2, hosts: ['none.test'], origins: [{ port: origin.port }] }))
  })
  const verifiedBots = [{ agent: 'ExampleBot', domains: [], networks: ['127.0.0.0/8', '::1'] }]
  await box.control('POST', '/configuration', { revision: 1, forceSSLRedirectCode: 301, verifiedBots })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

type Case = [
  path: string,
  status: number,
  asking?: { method?: string; headers?: Record<string, string>; body?: string },
]

const cases: Case[] = [
  ['/open', 403],
  ['/open', 200, { headers: { 'x-key': 'letmein' } }],
  ['/open', 403, { headers: { 'x-key': 'Letmein' } }],
  ['/open', 200, { method: 'POST', body: 'evil', headers: { 'x-key': 'letmein' } }],
  ['/watched', 200],
  ['/ended', 200],
  ['/human', 503],
  ['/arg?id=12', 403],
  ['/arg?id=x', 200],
  ['/arg?id=7', 200],
  ['/arg?id=x&id=12', 403],
  ['/arg?%69d=%31%32', 403],
  ['/arg?aid=12&id', 200],
  ['/cookie', 403],
  ['/cookie', 403, { headers: { cookie: 'a=1; role=guest' } }],
  ['/cookie', 200, { headers: { cookie: 'arole=guest; role=staff' } }],
  ['/post', 403, { method: 'POST', body: 'longer' }],
  ['/post', 200, { method: 'POST', body: 'short' }],
  ['/away', 200],
  ['/here', 403],
  ['/files/a.b/dump.SQL', 403],
  ['/files/a.php/dump', 200],
  ['/files/.', 200],
  ['/agent', 403, { headers: { 'user-agent': 'EvilBot/1' } }],
  ['/agent', 403, { headers: { referer: 'https://www.evil/' } }],
  ['/agent', 200, { headers: { 'user-agent': 'bot' } }],
  ['/land?x=1', 403],
  ['/ours', 403],
  ['/bots', 403],
  ['/bots', 403, { headers: { 'user-agent': 'OtherBot/1' } }],
  ['/bots', 200, { headers: { 'user-agent': 'Mozilla (ExampleBot/2)' } }],
  ['/bots/one', 403, { headers: { 'user-agent': 'Mozilla (ExampleBot/2)' } }],
  ['/bots/one', 200],
  ['/land', 200],
  ['/%73ecret', 403],
  ['/x/..;/secret', 403],
]

test.each(versions)('each condition evaluates its field, over HTTP/%s', async (version) => {
  const told: Case[] = []
  for (const [path, , asking] of cases) {
    const { status } = await ask(box, version, 'site.test', { path, ...asking })
    told.push(asking ? [path, status, asking] : [path, status])
  }
  expect(told).toEqual(cases)
})

test('the scheme is the visitor’s, and a domain without rules is not affected', async () => {
  const status = async (version: Version, host: string) => (await ask(box, version, host, { path: '/plain' })).status
  expect([await status('1.1', 'site.test'), await status('2', 'site.test')]).toEqual([403, 200])
  expect(await status('1.1', 'none.test')).toBe(200)
})

test.each(versions)(
  'a rule redirects, sets and removes response headers, and limits, over HTTP/%s',
  async (version) => {
    const asked = async (path: string, more: Case[2] = {}) => {
      const told = await ask(box, version, 'site.test', { path, ...more })
      return [told.status, ...['x-told', 'x-origin-says', 'location'].map((name) => header(told, name))]
    }
    expect(await asked('/moved/away?x=1')).toEqual([308, undefined, undefined, 'https://elsewhere.test/a?b'])
    // On the miss that stores it, and on the hit; requests that match no rule share the object.
    for (let n = 0; n < 2; n++) expect(await asked(`/told/${version}`)).toEqual([200, 'yes', undefined, undefined])
    const evil = { method: 'POST', body: 'evil' }
    expect(await asked('/told/skipped', evil)).toEqual([200, 'yes', undefined, undefined])
    expect((await asked('/told/other', evil))[0]).toBe(403)
    for (let n = 0; n < 8; n++) expect(await asked('/seen/it')).toEqual([200, undefined, 'so', undefined])
  },
)

test('a rule checks whether the client is a verified bot, and so does Explain', async () => {
  const configure = (live: object) =>
    box.control('POST', '/configuration', { revision: 1, forceSSLRedirectCode: 301, ...live })
  const crawled = async (agent: string) =>
    (await ask(box, '1.1', 'site.test', { path: '/crawled', headers: { 'user-agent': agent } })).status
  const explained = async (address: string) => {
    const request = {
      ...{ site: 1, host: 'site.test', address, method: 'GET', path: '/crawled', query: '', country: 'TW' },
      ...{ headers: { 'User-Agent': 'ExampleBot/2' }, time: Date.now() / 1000 },
    }
    return (await box.control<Explanation>('POST', '/explain', { artefact, request })).verdict
  }
  await configure({})
  expect([await crawled('ExampleBot/2'), await explained('127.0.0.1')]).toEqual([403, 'block'])
  const other = { agent: 'OtherBot', domains: ['bots.example.com'], networks: [] }
  await configure({ verifiedBots: [other, { agent: 'ExampleBot', domains: [], networks: ['127.0.0.0/8'] }] })
  expect([await crawled('ExampleBot/2'), await crawled('OtherBot/1'), await crawled('curl/8')]).toEqual([200, 403, 403])
  expect([await explained('127.0.0.1'), await explained('198.51.100.7')]).toEqual(['pass', 'block'])
  await configure({})
  expect(await crawled('ExampleBot/2')).toBe(403)
})

test('a limit allows an address its rate and burst, and later rules are still evaluated', async () => {
  // Requests within the limit reach the next rule. Their number depends on the machine.
  const many = () =>
    Promise.all(
      Array.from({ length: 40 }, async () => (await ask(box, '1.1', 'site.test', { path: '/slow/er' })).status),
    )
  let got: number[] = []
  await until('what is within the limit, and what is not', async () => {
    got = [...got, ...(await many())]
    return got.includes(403) && got.includes(429)
  })
  expect(new Set(got)).toEqual(new Set([403, 429]))
  await until('its row', () => box.rows().some(({ path, status }) => path === '/slow/er' && status === 429))
  const row = box.rows().find(({ path, status }) => path === '/slow/er' && status === 429)
  expect(row).toMatchObject({ guard: 'luaAcls', rule: 20, cause: 929, action: 'block' })
})

test('the action of a rule is logged under its ID, observed or not', async () => {
  const row = (path: string, action: string) => box.rows().find((one) => one.path === path && one.action === action)
  await until('the rows', () => row('/seen/it', 'observe') !== undefined && row('/here', 'block') !== undefined)
  expect(row('/watched', 'observe')).toMatchObject({ guard: 'luaAcls', rule: 3, cause: 904, status: 200 })
  expect(row('/here', 'block')).toMatchObject({ guard: 'luaAcls', rule: 10, cause: 904, status: 403 })
  expect(row('/human', 'challenge')).toMatchObject({ guard: 'luaAcls', rule: 5, cause: 978 })
  expect(row('/moved/away', 'pass')).toMatchObject({ guard: 'luaAcls', rule: 16, status: 308 })
  expect(row('/seen/it', 'observe')).toMatchObject({ guard: 'luaAcls', rule: 22, status: 200 })
  expect(row('/open', 'pass')).toMatchObject({ guard: 'luaAcls', rule: 1, cause: 0, status: 200 })
  expect(row('/told/1.1', 'pass')).toMatchObject({ guard: 'luaAcls', rule: 17, cause: 0, status: 200 })
  expect(row('/told/other', 'block')).toMatchObject({ guard: 'bodyRules', status: 403 })
})

test('Explain shows which rule decides, and which guards are skipped', async () => {
  const explain = async (path: string, more: Partial<SimulatedRequest> = {}) => {
    const request = {
      ...{ site: 1, host: 'site.test', address: '198.51.100.7', method: 'GET', path, query: '', headers: {} },
      ...{ time: Date.now() / 1000, country: 'TW', ...more },
    }
    const told = await box.control<Explanation>('POST', '/explain', { artefact, request })
    const step = told.steps.find(({ guard }) => guard === 'luaAcls')
    return [told.verdict, step?.outcome, step?.rule, told.steps.at(-1)?.outcome]
  }
  expect(await explain('/away')).toEqual(['block', 'block', 9, 'skipped'])
  expect(await explain('/watched')).toEqual(['pass', 'observe', 3, 'passed'])
  expect(await explain('/open', { headers: { 'X-Key': 'letmein' } })).toEqual(['pass', 'allow', 1, 'skipped'])
  expect(await explain('/plain', { scheme: 'http' })).toEqual(['block', 'block', 13, 'skipped'])
  expect(await explain('/moved')).toEqual(['redirect', 'redirect', 16, 'skipped'])
  expect(await explain('/told/skipped', { method: 'POST', body: 'evil' })).toEqual(['pass', 'passed', 17, 'skipped'])
  expect(await explain('/plain')).toEqual(['pass', 'passed', 0, 'passed'])
  expect(await explain('/bots')).toEqual(['block', 'block', 26, 'skipped'])
  expect(await explain('/bots', { bot: 'ExampleBot' })).toEqual(['pass', 'passed', 0, 'passed'])
})
