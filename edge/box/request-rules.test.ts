/** Rules by properties and frequency of requests on the wire: Referer, headers, User-Agent, country, interval. */
import { BegunBan } from '@breakwater/contract/edge/node-disk.ts'
import type { KeyTally, NginxTallies } from '@breakwater/contract/edge/tallies.ts'
import { askedMax } from '@breakwater/contract/edge/zone-bans.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from './harness.ts'
import { flags, frame, frameTypes, Http2Client, requestFields } from './http2-raw.ts'
import { StubOrigin } from './origin.ts'
import { exchange as exchangeLines } from './raw.ts'
import { openReference } from './reference.ts'
import { ask, header, versions } from './transparent/ask.ts'

let box: Box
let origin: StubOrigin
let artefact: string
let rulesArtefact: string

const mode = 'enforce' as const
beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) => {
    response.setHeader('cache-control', 'max-age=60').end('origin')
  })
  box = await Box.start({ workers: 1 }, (disk) => {
    const referer = { referers: ['friend.example', '*.friends.example'], isBlack: false, allowEmpty: true, mode }
    const entry = disk.site({
      ...{ hosts: ['site.test', 'other.test'], origins: [{ port: origin.port }] },
      requires: ['antiHeaders', 'antiReferers', 'headerRules'],
      firewall: {
        headerRules: [
          { id: 20, urlRegex: '^/both', header: 'x-b', valueRegex: '', blockType: 0, mode },
          { id: 21, urlRegex: '^/valued', header: 'x-scanner', valueRegex: '^a', blockType: 0, mode },
        ],
      },
      ofDomains: {
        'site.test': {
          antiReferers: [
            { ...referer, id: 1, urlRegex: '^/white/' },
            { ...referer, id: 2, urlRegex: '^/strict/', allowEmpty: false },
            { ...referer, id: 3, urlRegex: '^/black/', isBlack: true },
            { ...referer, id: 4, urlRegex: '^/watched/', mode: 'observe' },
          ],
          antiHeaders: [
            { id: 11, urlRegex: '^/api/', header: 'x-scanner', valueRegex: '', blockType: 0, mode },
            { id: 12, urlRegex: '^/api/', header: 'user-agent', valueRegex: '^$|^curl/', blockType: 0, mode },
            { id: 13, urlRegex: '^/people/', header: 'user-agent', valueRegex: 'Headless', blockType: 1, mode },
            { id: 14, urlRegex: '^/both', header: 'x-a', valueRegex: '', blockType: 0, mode },
          ],
        },
      },
    })
    artefact = entry.artefact ?? ''
    disk.feed(entry)
    const agent = { urlRegex: '^/', blockType: 0, mode }
    const flood = { seconds: 3600, blockSeconds: 3600 }
    const ofSite = disk.site({
      ...{ site: 2, hosts: ['rules.test'], origins: [{ port: origin.port }] },
      requires: ['agentRules', 'antiCC', 'headerRules', 'intervalRules', 'regionRules', 'reputationRules'],
      settings: { trustedProxies: ['127.0.0.1'] },
      firewall: {
        reputationRules: [
          { id: 34, urlRegex: '^/trust', score: 60, blockType: 1, mode },
          { id: 35, urlRegex: '^/trusted', score: 1, blockType: 1, mode: 'observe' },
        ],
        regionRules: [
          { id: 31, urlRegex: '^/abroad', countries: ['US', 'DE'], isBlack: true, blockType: 0, mode },
          { id: 32, urlRegex: '^/home', countries: ['US'], isBlack: false, blockType: 1, mode },
          {
            id: 36,
            urlRegex: '^/network',
            countries: [],
            asns: [13335, 4_200_000_000],
            isBlack: true,
            blockType: 0,
            mode,
          },
          { id: 33, urlRegex: '^/seen', countries: ['US'], isBlack: true, blockType: 0, mode: 'observe' },
        ],
        headerRules: [{ id: 41, urlRegex: '^/', header: 'x-scanner', valueRegex: '', blockType: 0, mode }],
        agentRules: [
          { ...agent, id: 51, userAgentRegex: '^BadBot/' },
          { ...agent, id: 52, userAgentRegex: 'sqlmap|nikto' },
          { ...agent, id: 53, userAgentRegex: '^$', urlRegex: '^/people' },
          { ...agent, id: 54, userAgentRegex: 'Headless', blockType: 1 },
          { ...agent, id: 55, userAgentRegex: '^Watched', mode: 'observe' },
        ],
        antiCC: [
          { ...flood, id: 64, urlRegex: '^/flood', times: 2, blockType: 1, mode },
          { ...flood, id: 65, urlRegex: '^/watched', times: 1, blockType: 1, mode: 'observe' },
          { ...flood, id: 66, urlRegex: '^/led', times: 1, blockType: 4, mode },
        ],
        allowRules: [{ id: 30, urlRegex: '', methods: [], ips: ['198.51.100.30'], mode }],
        intervalRules: [
          { id: 61, urlRegex: '^/few', seconds: 3600, times: 3, blockType: 1, mode },
          { id: 62, urlRegex: '^/counted', seconds: 3600, times: 1, blockType: 1, mode: 'observe' },
          { id: 63, urlRegex: '^/short', seconds: 1, times: 1, blockType: 1, mode },
        ],
      },
    })
    rulesArtefact = ofSite.artefact ?? ''
    const whole = (site: number, siteMode: { blockType: number; blockSeconds: number; whitePaths: string[] }) =>
      disk.site({
        ...{ site, hosts: [`whole-${site}.test`], origins: [{ port: origin.port }], requires: ['siteMode'] },
        settings: { trustedProxies: ['127.0.0.1'] },
        firewall: {
          siteMode,
          allowRules: [{ id: 71, urlRegex: '', methods: [], ips: ['198.51.100.30'], mode }],
          denyRules: [{ id: 72, urlRegex: '^/secret', methods: [], ips: ['198.51.100.0/24'], mode }],
        },
      })
    disk.feed(whole(3, { blockType: 1, blockSeconds: 60, whitePaths: ['/health', '/feeds/'] }))
    disk.feed(whole(4, { blockType: 0, blockSeconds: 3600, whitePaths: [] }))
    disk.feed(ofSite)
    disk.reputation(['203.0.113.0/24,60', '203.0.113.7,90', '203.0.113.64/26,20', '2001:db8:7::/48,75'])
    disk.feed(
      disk.site({
        ...{ site: 5, hosts: ['auto.test'], origins: [{ port: origin.port }] },
        requires: ['siteMode', 'automaticProtection', 'intervalRules'],
        settings: { trustedProxies: ['127.0.0.1'] },
        firewall: {
          siteMode: { blockType: 1, auto: { threshold: 70 }, blockSeconds: 60, whitePaths: [] },
          rateRules: [{ id: 81, urlRegex: '^/rate', rate: 0.01, burst: 4, blockType: 1, mode }],
          intervalRules: [{ id: 82, urlRegex: '^/count', seconds: 3600, times: 5, blockType: 1, mode }],
        },
      }),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const status = async (path: string, headers: Record<string, string> = {}, host = 'site.test') =>
  (await ask(box, '1.1', host, { path, headers })).status

test.each([
  // path, Referer, status
  ['/white/a', undefined, 200],
  ['/white/a', 'https://friend.example/page', 200],
  ['/white/a', 'https://FRIEND.example:8443?x', 200],
  ['/white/a', 'https://a.b.friends.example/', 200],
  ['/white/a', 'https://site.test/own-page', 200],
  ['/white/a', 'https://friends.example/', 403],
  ['/white/a', 'https://foreign.example/?https://friend.example/', 403],
  ['/white/a', 'https://friend.example.foreign.example/', 403],
  ['/white/a', 'https://friend.example@foreign.example/', 403],
  ['/white/a', 'about:blank', 403],
  ['/strict/a', undefined, 403],
  ['/strict/a', 'https://friend.example/', 200],
  ['/black/a', 'https://friend.example/', 403],
  ['/black/a', 'https://a.friends.example/', 403],
  ['/black/a', 'https://foreign.example/', 200],
  ['/watched/a', 'https://foreign.example/', 200],
  ['/free/a', 'https://foreign.example/', 200],
])('%s with the Referer %s answers %i', async (path, referer, expected) => {
  expect(await status(path, referer === undefined ? {} : { referer })).toBe(expected)
})

test.each(versions)('a cached object is refused as well, over HTTP/%s', async (version) => {
  const get = (referer: string) => ask(box, version, 'site.test', { path: '/white/kept', headers: { referer } })
  expect((await get('https://friend.example/')).status).toBe(200)
  expect((await get('https://foreign.example/')).status).toBe(403)
})

test('a request with a forbidden header is refused or challenged', async () => {
  expect(await status('/api/x', { 'user-agent': 'app' })).toBe(200)
  expect(await status('/api/x', { 'user-agent': 'app', 'X-Scanner': '1' })).toBe(403)
  expect(await status('/api/x', { 'user-agent': 'curl/8.0' })).toBe(403)
  expect(await status('/api/x')).toBe(403)
  expect(await status('/people/x', { 'user-agent': 'Headless Chrome' })).toBe(503)
  expect(await status('/people/x', { 'user-agent': 'Chrome' })).toBe(200)
})

/** The status of a request with raw header lines, which no library sends. */
async function statusOfLines(version: '1.1' | '2', path: string, lines: [string, string][], host = 'site.test') {
  if (version === '1.1') {
    const head = [['host', host], ['connection', 'close'], ...lines].map(([name, value]) => `${name}: ${value}\r\n`)
    const answer = await exchangeLines(box.settings.httpPort, `GET ${path} HTTP/1.1\r\n${head.join('')}\r\n`)
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
  }
  const client = await Http2Client.open(box.settings.httpsPort, host)
  const ends = flags.endStream | flags.endHeaders
  client.send(frame(frameTypes.headers, ends, 1, requestFields(host, path, lines)))
  await until('an answer', () => client.statusOf(1) !== undefined)
  client.destroy()
  return client.statusOf(1)
}

test.each(['1.1', '2'] as const)(
  'every value of a header that is sent more than once is checked, over HTTP/%s',
  async (version) => {
    const agents = (...values: string[]) => values.map((value): [string, string] => ['user-agent', value])
    const of = (path: string, ...values: string[]) => statusOfLines(version, path, agents(...values))
    expect(await of('/api/x', 'app', 'other')).toBe(200)
    expect(await of('/api/x', 'curl/8.0', 'app')).toBe(403)
    expect(await of('/api/x', 'app', 'curl/8.0')).toBe(403)
    expect(await of('/api/x', 'app', 'other', 'curl/8.0')).toBe(403)
    expect(await of('/people/x', 'Chrome', 'Headless Chrome')).toBe(503)
    // Rules treat an empty value as absent; no line at all counts as absent once.
    expect(await of('/api/x', 'app', '')).toBe(403)
    expect(await of('/api/x')).toBe(403)
    const scanners: [string, string][] = [['x-scanner', 'b'], ['x-other', 'a1'], ['x-scanner', 'a1'], ...agents('app')]
    expect(await statusOfLines(version, '/valued', scanners)).toBe(403)
    expect(await statusOfLines(version, '/valued', scanners.slice(0, 2))).toBe(200)
    const referers = (...values: string[]) =>
      statusOfLines(
        version,
        '/white/twice',
        values.map((value) => ['referer', value]),
      )
    const [friend, foreign] = ['https://friend.example/', 'https://foreign.example/']
    expect(await referers(friend, 'https://a.friends.example/')).toBe(200)
    expect(await referers(friend, foreign)).toBe(403)
    expect(await referers(foreign, friend)).toBe(403)
  },
)

test('rules apply to their own domain, whose header rules run before the site’s', async () => {
  expect(await status('/white/a', { referer: 'https://foreign.example/' }, 'other.test')).toBe(200)
  expect(await status('/both', { 'x-a': '1', 'x-b': '1' })).toBe(403)
  expect(await status('/both', { 'x-a': '1', 'x-b': '1' }, 'other.test')).toBe(403)
  const rulesOf = (host: string) => box.rows().filter((row) => row.path === '/both' && row.domain === host)
  await until('both rows', () => rulesOf('site.test').length > 0 && rulesOf('other.test').length > 0)
  expect(rulesOf('site.test').map(({ guard, rule }) => [guard, rule])).toEqual([['antiHeaders', 14]])
  expect(rulesOf('other.test').map(({ guard, rule }) => [guard, rule])).toEqual([['headerRules', 20]])
})

test('the log contains guard, rule and cause, even for an observed rule', async () => {
  await until('the watched row', () => box.rows().some(({ action }) => action === 'observe'))
  const watched = box.rows().find(({ action }) => action === 'observe')
  expect(watched).toMatchObject({ guard: 'antiReferers', rule: 4, cause: 904, status: 200 })
  expect(box.rows().find(({ path, status }) => path === '/strict/a' && status === 403)).toMatchObject({
    ...{ guard: 'antiReferers', rule: 2, cause: 904, action: 'block' },
  })
})

test('Explain names the rule', async () => {
  const request = {
    ...{ site: 1, host: 'site.test', address: '198.51.100.7', method: 'GET', path: '/white/a', query: '' },
    ...{ headers: { Referer: 'https://foreign.example/' }, time: Date.now() / 1000, country: 'TW' },
  }
  const told = await box.control<{ verdict: string; steps: object[] }>('POST', '/explain', { artefact, request })
  expect(told.verdict).toBe('block')
  expect(told.steps).toContainEqual(expect.objectContaining({ guard: 'antiReferers', outcome: 'block', rule: 1 }))
})

const ofRules = (path: string, agent: string | undefined, address = '198.51.100.1') =>
  status(path, { ...(agent !== undefined && { 'user-agent': agent }), 'x-forwarded-for': address }, 'rules.test')

test.each([
  ['/', 'Mozilla/5.0', 200],
  ['/', 'BadBot/2.0', 403],
  ['/', 'Mozilla/5.0 (compatible; nikto)', 403],
  ['/', 'badbot/2.0', 200],
  ['/', undefined, 200],
  ['/people', undefined, 403],
  ['/', 'Headless Chrome', 503],
  ['/', 'Watched/1.0', 200],
])('%s with the User-Agent %s answers %i', async (path, agent, expected) => {
  expect(await ofRules(path, agent)).toBe(expected)
})

/** Addresses of a public DNS service in the United States, of a German university, and of no country. */
const [ofUs, ofGermany, ofNobody] = ['8.8.8.8', '141.2.1.1', '10.1.2.3']

test.each([
  ['/network', '1.1.1.1', 403],
  ['/network', '2606:4700:4700::1111', 403],
  ['/network', '8.8.8.8', 200],
  ['/network', '2001:4860:4860::8888', 200],
  ['/network', '192.0.2.1', 200],
  ['/stored', '8.8.8.8', 200],
  ['/stored', '2001:4860:4860::8888', 200],
  ['/stored', '192.0.2.1', 200],
  ['/abroad', ofUs, 403],
  ['/abroad', ofGermany, 403],
  ['/abroad', ofNobody, 200],
  ['/home', ofUs, 200],
  ['/home', ofGermany, 503],
  ['/home', ofNobody, 503],
  ['/seen', ofUs, 200],
])('%s from %s answers %i by its country or network', async (path, address, expected) => {
  expect(await ofRules(path, 'Mozilla/5.0', address)).toBe(expected)
})

const scored = (path: string, address: string) => ofRules(path, 'Mozilla/5.0', address)

test('only addresses with a bad reputation are challenged, IPv6 too; a new file takes effect at once', async () => {
  const all = ['203.0.113.1', '203.0.113.7', '203.0.113.70', '2001:db8:7:1::9', '203.0.114.1', '2001:db8:8::1']
  const seen = async () => Promise.all(all.map((address) => scored('/trust', address)))
  expect(await seen()).toEqual([503, 503, 503, 503, 200, 200])
  expect(await scored('/trusted', '203.0.114.1')).toBe(200)
  expect(await scored('/', '203.0.113.7')).toBe(200)
  const hash = box.disk.reputation(['203.0.113.0/24,59', '203.0.114.1,60', '2001:db8:8::1,60'])
  await box.control('POST', '/reputation', { hash })
  expect(await seen()).toEqual([200, 200, 200, 200, 503, 503])
  expect(await scored('/trusted', '203.0.113.1')).toBe(200)
  // A damaged file leaves the old one in use.
  await box.control('POST', '/reputation', { hash: box.disk.damagedReputation() })
  expect(await seen()).toEqual([200, 200, 200, 200, 503, 503])
})

test('each address is counted from its first request in an interval, and again after the interval', async () => {
  const seen = []
  for (let n = 0; n < 5; n++) seen.push(await ofRules('/few', 'Mozilla/5.0', '198.51.100.8'))
  expect(seen).toEqual([200, 200, 200, 503, 503])
  expect(await ofRules('/few', 'Mozilla/5.0', '198.51.100.9')).toBe(200)
  for (let n = 0; n < 3; n++) expect(await ofRules('/counted', 'Mozilla/5.0', '198.51.100.8')).toBe(200)
  const short = () => ofRules('/short', 'Mozilla/5.0', '198.51.100.8')
  await until('too many in a second', async () => (await short()) === 503)
  await until('the next interval', async () => (await short()) === 200)
})

test('an address that exceeds a frequency is challenged, and banned from the site after 5 unsolved ones', async () => {
  const seen = []
  for (let n = 0; n < 8; n++) seen.push(await ofRules('/flood', 'Mozilla/5.0', '198.51.100.10'))
  expect(seen).toEqual([200, 200, 503, 503, 503, 503, 503, 429])
  expect(await ofRules('/', 'Mozilla/5.0', '198.51.100.10')).toBe(429)
  expect(await ofRules('/', 'Mozilla/5.0', '198.51.100.11')).toBe(200)
  // Neither with an observed rule, nor with an allowed address.
  for (let n = 0; n < 9; n++) expect(await ofRules('/watched', 'Mozilla/5.0', '198.51.100.12')).toBe(200)
  for (let n = 0; n < 9; n++) expect(await ofRules('/flood', 'Mozilla/5.0', '198.51.100.30')).toBe(200)
  const row = () => box.rows().find(({ site, guard }) => site === 2 && guard === 'bans')
  await until('its row', row)
  expect(row()).toMatchObject({ action: 'block', cause: 929, status: 429, rule: 0 })
})

test('a passed challenge does not count as unsolved; ten times the frequency is refused for anybody', async () => {
  const led = (headers: Record<string, string> = {}) =>
    ask(box, '1.1', 'rules.test', {
      path: '/led',
      headers: { 'user-agent': 'Mozilla/5.0', 'x-forwarded-for': '198.51.100.13', ...headers },
    })
  expect((await led()).status).toBe(200)
  let seen: number[] = []
  let cookie = ''
  for (let n = 0; n < 3; n++) {
    const challenged = await led()
    cookie = `${header(challenged, 'set-cookie')}`.split(';')[0]!
    seen = [...seen, challenged.status, (await led()).status, (await led({ cookie })).status]
  }
  expect(seen).toEqual([302, 302, 200, 302, 302, 200, 302, 302, 200])
  expect((await led({ cookie })).status).toBe(429)
})

test('the log contains the ASN of each client, for hits and refusals, and 0 if unknown', async () => {
  const said = () =>
    box
      .rows()
      .filter(({ path }) => path === '/stored' || path === '/network')
      .map(({ path, cache, address, asn }) => `${path} ${cache} ${address} ${asn}`)
  const wanted = ['/network  1.1.1.1 13335', '/network  2606:4700:4700::1111 13335', '/stored MISS 8.8.8.8 15169']
  const hits = ['/stored HIT 2001:4860:4860::8888 15169', '/stored HIT 192.0.2.1 0']
  await until('the rows', () => [...wanted, ...hits].every((row) => said().includes(row)))
})

test('the log contains the rules of a site, including observed ones', async () => {
  expect(await status('/', { 'x-scanner': '1', 'user-agent': 'BadBot/1' }, 'rules.test')).toBe(403)
  const ids = [31, 32, 33, 34, 35, 36, 41, 51, 52, 53, 54, 55, 61, 62, 63, 64, 65, 66]
  const ofSite = () => box.rows().filter(({ site }) => site === 2)
  await until('a row of each', () => ids.every((id) => ofSite().some(({ rule }) => rule === id)))
  const said = new Map(ofSite().map(({ rule, guard, action, cause }) => [rule, `${guard} ${action} ${cause}`]))
  said.delete(0)
  expect(Object.fromEntries(said)).toEqual({
    ...{ 31: 'regionRules block 903', 32: 'regionRules challenge 978', 33: 'regionRules observe 903' },
    36: 'regionRules block 903',
    ...{ 34: 'reputationRules challenge 978', 35: 'reputationRules observe 978' },
    ...{ 41: 'headerRules block 904', 51: 'agentRules block 904', 52: 'agentRules block 904' },
    ...{ 53: 'agentRules block 904', 54: 'agentRules challenge 978', 55: 'agentRules observe 904' },
    ...{ 61: 'intervalRules challenge 978', 62: 'intervalRules observe 978', 63: 'intervalRules challenge 978' },
    ...{ 64: 'antiCC challenge 978', 65: 'antiCC observe 978', 66: 'antiCC block 929', 30: 'allowRules pass 0' },
  })
})

test('Explain evaluates the rules with the given User-Agent, country and score', async () => {
  const explained = async (userAgent: string, country: string, path: string, score?: number) => {
    const request = {
      ...{ site: 2, host: 'rules.test', address: '198.51.100.7', method: 'GET', path, query: '' },
      ...{ headers: { 'User-Agent': userAgent }, time: Date.now() / 1000, country, score },
    }
    const asked = { artefact: rulesArtefact, request }
    const { steps } = await box.control<{ steps: { outcome: string }[] }>('POST', '/explain', asked)
    return steps.find(({ outcome }) => outcome !== 'passed')
  }
  expect(await explained('BadBot/1', 'TW', '/')).toMatchObject({ guard: 'agentRules', outcome: 'block', rule: 51 })
  expect(await explained('Mozilla', 'DE', '/home')).toMatchObject({ guard: 'regionRules', outcome: 'challenge' })
  expect(await explained('Mozilla', 'US', '/home')).toBeUndefined()
  expect(await explained('Mozilla', 'US', '/trust', 60)).toMatchObject({ guard: 'reputationRules', rule: 34 })
  expect(await explained('Mozilla', 'US', '/trust', 59)).toBeUndefined()
})

test('Explain shows the zone’s decision in order: before all guards, or after those without a body', async () => {
  const explained = async (zone: object) => {
    const request = {
      ...{ site: 2, host: 'rules.test', address: '198.51.100.7', method: 'GET', path: '/', query: '', zone },
      ...{ headers: { 'User-Agent': 'Mozilla' }, time: Date.now() / 1000, country: 'TW' },
    }
    const asked = { artefact: rulesArtefact, request }
    return box.control<{ verdict: string; steps: { guard: string; outcome: string }[] }>('POST', '/explain', asked)
  }
  const refused = await explained({ guard: 'ipset', outcome: 'block', cause: 903 })
  expect([refused.verdict, refused.steps[0]]).toMatchObject(['block', { guard: 'ipset', outcome: 'block', cause: 903 }])
  expect(new Set(refused.steps.slice(1).map(({ outcome }) => outcome))).toEqual(new Set(['skipped']))
  const limited = await explained({ guard: 'zoneAntiCC', outcome: 'challenge', cause: 978 })
  const at = limited.steps.findIndex(({ guard }) => guard === 'zoneAntiCC')
  expect([limited.verdict, limited.steps[at]!.outcome]).toEqual(['challenge', 'challenge'])
  expect(new Set(limited.steps.slice(0, at).map(({ outcome }) => outcome))).toEqual(new Set(['passed']))
  expect(limited.steps.slice(at + 1).map(({ outcome }) => outcome)).toContain('skipped')
  expect(limited.steps.slice(at + 1).map(({ outcome }) => outcome)).not.toContain('passed')
})

test('Explain reports that a verified bot was spared a challenge', async () => {
  const request = {
    ...{ site: 2, host: 'rules.test', address: '198.51.100.7', method: 'GET', path: '/home', query: '', headers: {} },
    ...{ time: Date.now() / 1000, country: 'DE', bot: 'ExampleBot' },
  }
  type Told = { verdict: string; steps: { guard: string; outcome: string; bot?: string }[] }
  const { verdict, steps } = await box.control<Told>('POST', '/explain', { artefact: rulesArtefact, request })
  expect([verdict, steps.filter(({ bot }) => bot !== undefined)]).toEqual([
    'pass',
    [expect.objectContaining({ guard: 'regionRules', outcome: 'passed', bot: 'ExampleBot' })],
  ])
})

const ofWhole = (site: number, path: string, last: number) =>
  status(path, { 'x-forwarded-for': `198.51.100.${last}` }, `whole-${site}.test`)

test('a whole site is challenged, except for its white URLs, its allow list, and clients refused earlier', async () => {
  for (const [path, last, expected] of [
    ['/', 20, 503],
    ['/health', 20, 200],
    ['/health/x', 20, 503],
    ['/feeds/a/b', 20, 200],
    ['/feeds/../admin', 20, 503],
    ['/', 30, 200],
    ['/secret', 20, 403],
  ] as const)
    expect([path, last, await ofWhole(3, path, last)]).toEqual([path, last, expected])
  const row = () => box.rows().find(({ site, guard }) => site === 3 && guard === 'siteMode')
  await until('its row', row)
  expect(row()).toMatchObject({ action: 'challenge', cause: 978, rule: 0 })
})

test('only bots verified by their networks or the agent’s lookup are spared the challenge', async () => {
  const configure = (live: object) =>
    box.control('POST', '/configuration', { revision: 1, forceSSLRedirectCode: 301, ...live })
  const bot = (last: number, userAgent = 'Mozilla/5.0 (compatible; ExampleBot/2.1)') => {
    const headers = { 'x-forwarded-for': `198.51.100.${last}`, 'user-agent': userAgent }
    return status('/', headers, 'whole-3.test')
  }
  expect(await bot(80)).toBe(503)
  const domains = ['bots.example.com']
  await configure({ verifiedBots: [{ agent: 'ExampleBot', domains, networks: ['198.51.100.80'] }] })
  expect([await bot(80), await bot(80, 'Mozilla/5.0'), await bot(81), await bot(82), await bot(81)]).toEqual([
    ...[200, 503, 503, 503, 503],
  ])
  const exchange = (verdicts: object[]) =>
    box.control<{ claimed: { agent: string; address: string }[] }>('POST', '/bots', { verdicts, most: 50 })
  const { claimed } = await exchange([])
  expect(claimed).toEqual(['81', '82'].map((last) => ({ agent: 'ExampleBot', address: `198.51.100.${last}` })))
  await exchange(claimed.map((one, at) => ({ ...one, isVerified: at === 0 })))
  expect([await bot(81), await bot(82), await bot(81, 'Mozilla/5.0')]).toEqual([200, 503, 503])
  expect((await exchange([])).claimed).toEqual({})
  // Refusals apply to bots, too.
  expect(
    await status('/secret', { 'x-forwarded-for': '198.51.100.80', 'user-agent': 'ExampleBot' }, 'whole-3.test'),
  ).toBe(403)
  // The row names the verified bot, even on requests that are not challenged; other rows name none.
  const row = (last: number) => box.rows().filter(({ site, address }) => site === 3 && address === `198.51.100.${last}`)
  const named = (last: number) =>
    row(last)
      .filter((one) => one.bot === 'ExampleBot')
      .map(({ status }) => status)
  await until('the rows', () => named(80).includes(403) && row(82).length >= 2)
  expect([named(80), named(81), named(82)]).toEqual([[200, 403], [200], []])
  await configure({})
  expect(await bot(81)).toBe(503)
})

const begun = () => box.begunBans()

test('an address refused ten times within a minute is banned from the whole site, and no other is', async () => {
  const seen = []
  for (let n = 0; n < 10; n++) seen.push(await ofWhole(4, '/secret', 21))
  expect(seen).toEqual(Array(10).fill(403))
  expect([await ofWhole(4, '/', 21), await ofWhole(4, '/', 22), await ofWhole(3, '/health', 21)]).toEqual([
    429, 200, 200,
  ])
  for (let n = 0; n < 12; n++) await ofWhole(4, '/secret', 30)
  expect(await ofWhole(4, '/', 30)).toBe(200)
  const row = () => box.rows().find(({ site, guard }) => site === 4 && guard === 'bans')
  await until('its row', row)
  expect(row()).toMatchObject({ action: 'block', cause: 929, status: 429, rule: 0 })
})

test('a ban report contains address, reason, duration and request; allowed addresses are not reported', async () => {
  await until('its line', () => begun().some(({ site }) => site === 4))
  const ofSecret = begun().filter(({ site }) => site === 4)
  expect(ofSecret).toHaveLength(1)
  const [ban] = ofSecret as [BegunBan]
  expect(BegunBan.parse(ban)).toEqual(ban)
  expect(ban).toMatchObject({ address: '198.51.100.21', guard: 'denyRules', rule: 72, cause: 903, seconds: 3600 })
  const row = () => box.rows().find(({ requestId }) => requestId === ban.requestId)
  await until('the row of the request', row)
  expect(row()).toMatchObject({ site: 4, guard: 'denyRules', path: '/secret', address: '198.51.100.21' })
  const reference = openReference(ban.reference, 'k'.repeat(32))
  expect(reference).toMatchObject({ site: 4, rule: 72, cause: 903 })
  expect(begun().find(({ site }) => site === 2)).toMatchObject({ guard: 'antiCC', rule: 64, seconds: 3600 })
})

test('bans from the agent are applied and lifted, IPv6 by /64, and survive a crash', async () => {
  const first = (address: string) => status('/', { 'x-forwarded-for': address }, 'whole-4.test')
  const told = ['198.51.100.40', '198.51.100.41', '2001:db8:7:7::/64']
  await box.control('POST', '/bans', { bans: told.map((address) => ({ site: 4, address, seconds: 600 })) })
  const seen = async () => [
    ...(await Promise.all([first('198.51.100.40'), first('198.51.100.41'), first('2001:db8:7:7::9')])),
    ...(await Promise.all([first('2001:db8:7:8::9'), first('198.51.100.42'), ofWhole(3, '/health', 40)])),
  ]
  expect(await seen()).toEqual([429, 429, 429, 200, 200, 200])
  await box.control('POST', '/bans', { bans: [{ site: 4, address: '198.51.100.41', seconds: 0 }] })
  expect(await seen()).toEqual([429, 200, 429, 200, 200, 200])
  // After a ban is lifted, counting starts at zero.
  await box.control('POST', '/bans', { bans: [{ site: 4, address: '198.51.100.21', seconds: 0 }] })
  expect([await ofWhole(4, '/secret', 21), await ofWhole(4, '/', 21)]).toEqual([403, 200])
  const until = Math.ceil(Date.now() / 1000) + 600
  box.disk.bans(
    ...told.map((address) => ({ site: 4, address, until })),
    ...[{ site: 4, address: '198.51.100.41', until: 0 }],
    ...[{ site: 4, address: '198.51.100.42', until: until - 1200 }],
  )
  await box.stop('SIGKILL')
  await box.boot()
  expect(await seen()).toEqual([429, 200, 429, 200, 200, 200])
})

const ofAuto = (path: string, last: number, accept = 'text/html') =>
  ask(box, '1.1', 'auto.test', { path, headers: { accept, 'x-forwarded-for': `198.51.100.${last}` } })
type Exchanged = Partial<NginxTallies>
const exchange = (attacks?: number[], keys: KeyTally[] = []) =>
  box.control<Exchanged>('POST', '/tallies', { ...(attacks && { attacks }), keys })
const keyOf = (rule: string, last: number) =>
  Buffer.concat([Buffer.from(`5:${rule}:`), Buffer.from([198, 51, 100, last])]).toString('base64')

test('a site in automatic mode is challenged only during an attack; non-browsers get no page', async () => {
  expect((await ofAuto('/', 50)).status).toBe(200)
  let seen = 0
  await until('what came', async () => {
    const { sites = [] } = await exchange()
    const ofSite = sites.find(({ site }) => site === 5)
    if (ofSite) expect(ofSite).toMatchObject({ threshold: 70, failures: 0 })
    seen += ofSite?.requests ?? 0
    return seen >= 1
  })
  expect((await exchange([5, 4])).attacks?.toSorted()).toEqual([4, 5])
  const page = await ofAuto('/', 50)
  expect([page.status, header(page, 'content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  for (const accept of ['*/*', 'application/json', 'text/plain']) {
    const refused = await ofAuto('/', 50, accept)
    expect([refused.status, header(refused, 'content-type')]).toEqual([503, 'application/problem+json'])
    expect(JSON.parse(refused.body.toString())).toMatchObject({ status: 503 })
  }
  // A newly started agent asks nginx for its attacks; an attack that the agent no longer lists ends.
  expect((await exchange()).attacks?.toSorted()).toEqual([4, 5])
  await exchange([])
  expect((await ofAuto('/', 50)).status).toBe(200)
})

test('the usage of rules by clients is reported, and that of other nodes counts against limits here', async () => {
  for (const path of ['/rate', '/rate', '/count', '/count', '/count']) await ofAuto(path, 51)
  const told: Record<string, number> = {}
  await until('what was taken', async () => {
    for (const { key, amount } of (await exchange()).keys ?? []) told[key] = (told[key] ?? 0) + amount
    return told[keyOf('81', 51)] !== undefined && told[keyOf('i82', 51)] !== undefined
  })
  expect(told).toMatchObject({ [keyOf('81', 51)]: 200, [keyOf('i82', 51)]: 3 })
  expect((await ofAuto('/rate', 52)).status).toBe(200)
  await exchange(
    [],
    [
      { key: keyOf('i82', 51), amount: 2, seconds: 3600 },
      { key: keyOf('i82', 53), amount: 5, seconds: 3600 },
    ],
  )
  // The limit is five per hour: three requests came here, two to other nodes.
  expect([(await ofAuto('/count', 51)).status, (await ofAuto('/count', 53)).status]).toEqual([503, 503])
  expect((await ofAuto('/count', 52)).status).toBe(200)
})

test('a zone refuses listed addresses before allow lists, counts over all sites, and bans for all sites', async () => {
  const configure = (live: object) =>
    box.control('POST', '/configuration', { revision: 1, forceSSLRedirectCode: 301, ...live })
  await configure({ ipset: ['198.51.100.30', '198.51.100.60-198.51.100.69'] })
  expect([await ofWhole(4, '/', 30), await ofWhole(4, '/', 61), await ofWhole(4, '/', 70)]).toEqual([403, 403, 200])
  const row = () => box.rows().find(({ guard }) => guard === 'ipset')
  await until('its row', row)
  expect(row()).toMatchObject({ action: 'block', cause: 903, rule: 0 })
  await configure({ anticc: { seconds: 3600, times: 3, blockType: 1 } })
  const seen = [await ofWhole(4, '/', 71), await ofWhole(3, '/health', 71), await ofWhole(4, '/', 71)]
  expect([...seen, await ofWhole(3, '/health', 71), await ofWhole(4, '/', 72)]).toEqual([200, 200, 200, 503, 200])
  for (let n = 0; n < 5; n++) expect(await ofWhole(4, '/', 30)).toBe(200)
  await configure({ invalidDomainLimitCount: 2 })
  const from = (localAddress: string, host: string, path = '/') =>
    box.request(host, path, { localAddress }).then(
      ({ status }) => status,
      () => 0,
    )
  for (let n = 0; n < 2; n++) expect(await from('127.0.0.51', 'nobody.test')).toBe(0)
  expect(await from('127.0.0.51', 'whole-4.test')).toBe(200)
  const long = `/.env?${'\u00e9"'.repeat(200)}`
  expect(await from('127.0.0.51', 'nobody.test', long)).toBe(0)
  expect([await from('127.0.0.51', 'whole-4.test'), await from('127.0.0.52', 'whole-4.test')]).toEqual([0, 200])
  // The requested site's log contains the drop: the visitor gets no reference.
  const dropped = () => box.rows().filter(({ guard }) => guard === 'bansOfZone')
  await until('the row of the banned address', () => dropped().length > 0)
  expect(dropped().map(({ site, address, action, cause, status }) => [site, address, action, cause, status])).toEqual([
    [4, '127.0.0.51', 'block', 444, 444],
  ])
  await configure({})
  expect(await from('127.0.0.51', 'whole-4.test')).toBe(200)
  await configure({ anticc: { seconds: 3600, times: 1, blockType: 1 } })
  const flood = async () => {
    for (let n = 0; n < 11; n++) await from('127.0.0.53', 'whole-4.test')
    return [await from('127.0.0.53', 'whole-3.test'), await from('127.0.0.54', 'whole-4.test')]
  }
  expect(await flood()).toEqual([0, 200])
  // Behind a proxy the ban would affect all of its visitors.
  for (let n = 0; n < 12; n++) await ofWhole(4, '/', 73)
  expect([await ofWhole(4, '/', 73), await ofWhole(4, '/', 74)]).toEqual([429, 200])
  const ofZone = box.begunBans().filter(({ site }) => site === 0)
  expect(ofZone.map(({ address, guard }) => [address, guard])).toEqual([
    ['127.0.0.51', 'invalidDomain'],
    ['127.0.0.53', 'zoneAntiCC'],
  ])
  // There is no row for the first one: its line contains what was requested.
  expect(ofZone[0]!.asked).toMatch(/^GET http:\/\/nobody\.test\/\.env\?/)
  expect(ofZone[0]!.asked!.length).toBeLessThanOrEqual(askedMax)
  expect(ofZone[1]!.asked).toBe('GET http://whole-4.test/')
  for (const line of ofZone) expect(BegunBan.safeParse(line).error).toBeUndefined()
  await box.control('POST', '/bans', { bans: [{ site: 0, address: '127.0.0.53', seconds: 0 }] })
  expect(await from('127.0.0.53', 'whole-4.test')).not.toBe(0)
  await configure({})
})
