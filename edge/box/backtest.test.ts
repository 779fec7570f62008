/** A rule that is back-tested on logged rows decides as it did on the live requests. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseRange } from '@breakwater/contract/addresses.ts'
import { edgeActionOf, programOf } from '@breakwater/contract/edge/acl-program.ts'
import type { BacktestBatch, BacktestVerdicts } from '@breakwater/contract/edge/backtest.ts'
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import { parseAcl } from '@breakwater/contract/modules/acl/parse.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SiteFacts } from './disk.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin
const rate = { id: 6, urlRegex: '^/rate', rate: 1, burst: 2, blockType: 1, mode: 'enforce' as const }
/** Used tokens are not refilled within a test. */
const slow = { ...rate, rate: 0.001 }
const site = (firewall: SiteFacts['firewall']) =>
  box.disk.site({ origins: [{ port: origin.port }], settings: { trustedProxies: ['127.0.0.1'] }, firewall })

beforeAll(async () => {
  origin = await StubOrigin.start()
  box = await Box.start({ workers: 1 })
  await box.control('POST', '/apply', { entries: [site({ rateRules: [slow] })] })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

type Row = Partial<RequestRow> & { agent?: number }

function columns(rows: Row[]): BacktestBatch['columns'] {
  const of = <T>(read: (row: Row) => T) => rows.map(read)
  return [
    of((row) => row.time ?? 1000),
    of((row) => row.node ?? 7),
    of((row) => row.weight ?? 1),
    of((row) => row.method ?? 'GET'),
    of((row) => row.domain ?? 'site.test'),
    of((row) => row.address ?? '192.0.2.1'),
    of((row) => row.path ?? '/rate'),
    of((row) => row.query ?? ''),
    of((row) => row.status ?? 200),
    of((row) => row.agent ?? 1),
    of((row) => row.country ?? 'ZZ'),
    of((row) => row.userAgent ?? ''),
    of((row) => row.referer ?? ''),
    of((row) => row.asn ?? 0),
    of((row) => row.bot ?? ''),
  ]
}

let runs = 0
const fresh = () => `run${++runs}`

/** The codes of rows under a firewall; `over` overrides fields of the batch. */
async function codes(firewall: SiteFacts['firewall'], rows: Row[], over: Partial<BacktestBatch> = {}): Promise<string> {
  const batch: BacktestBatch = {
    run: fresh(),
    isFirst: true,
    artefact: site(firewall).artefact!,
    guard: 'rateRules',
    rule: 6,
    columns: columns(rows),
    ...over,
  }
  const { codes } = await box.control<BacktestVerdicts>('POST', '/backtest', batch)
  if (over.run === undefined) await box.control('POST', '/backtest/end', { run: batch.run })
  return codes
}

const deny = { id: 6, urlRegex: '', methods: [], ips: ['192.0.2.1'], mode: 'enforce' as const }

test('a rate rule decides on logged rows as it did on the live requests', async () => {
  const visitors = ['192.0.2.1', '2001:db8::1', '2001:db8::2']
  for (let i = 0; i < 24; i++) {
    const headers = { 'x-forwarded-for': visitors[i % 3]! }
    await box.request('site.test', i % 4 === 3 ? '/other' : '/rate', { headers })
  }
  await until('the rows', () => box.rows().length === 24)
  const rows = box.rows()
  const live = rows.map((row) => (row.action === 'challenge' ? 'challenge' : 'pass'))
  // Two addresses of the same /64 share a bucket, so they are limited sooner.
  expect(live.filter((action) => action === 'challenge').length).toBeGreaterThan(8)
  const told = await codes({ rateRules: [slow] }, rows)
  expect([...told].map((code) => (code === '3' ? 'challenge' : 'pass'))).toEqual(live)
  expect([...told].map((code) => code === '0')).toEqual(rows.map((row) => row.path === '/other'))
})

test('the clock is that of the rows: the bucket drains between them, across batches', async () => {
  const at = (...times: number[]) => times.map((time): Row => ({ time }))
  const run = fresh()
  expect(await codes({ rateRules: [rate] }, at(1000, 1000, 1000, 1000), { run })).toBe('1113')
  expect(await codes({ rateRules: [rate] }, at(1000.5, 1001, 1001, 1010), { run, isFirst: false })).toBe('3131')
  expect(await codes({ rateRules: [rate] }, at(1010, 1010, 1010), { run: fresh() })).toBe('111')
})

test('ACL rules use what is logged: user agent, query and time; a limit counts', async () => {
  const rule = (text: string) => {
    const read = parseAcl(text)
    if ('problem' in read) throw new Error(JSON.stringify(read.problem))
    const { conditions, ...action } = read.rule
    return [{ id: 6, mode: 'enforce' as const, ...edgeActionOf(action), tests: programOf(conditions) }]
  }
  const tried = (text: string, rows: Row[]) => {
    const { artefact } = box.disk.site({ origins: [{ port: origin.port }], luaAcls: rule(text) })
    return codes({}, rows, { artefact: artefact!, guard: 'luaAcls' })
  }
  const rows: Row[] = [{ userAgent: 'a bot' }, { userAgent: 'a person' }, { query: 'page=1' }, {}]
  expect(await tried('when userAgent contains "bot" or arg("page") = "1" then block', rows)).toBe('2020')
  expect(await tried('when userAgent contains "bot" then redirect 302 "/"', rows)).toBe('2000')
  expect(await tried('when path = "/rate" then limit 1 burst 2', [{}, {}, {}, {}, { time: 1001 }])).toBe('11121')
  expect(await tried('when hour = 0 and weekday = 4 then challenge shield', [{ time: 1000 }, { time: 4000 }])).toBe(
    '30',
  )
})

test('a run that has ended, or that this worker does not know, is refused', async () => {
  const run = fresh()
  await codes({ rateRules: [rate] }, [{}], { run })
  await box.control('POST', '/backtest/end', { run })
  await expect(codes({ rateRules: [rate] }, [{}], { run, isFirst: false })).rejects.toThrow('no such back-test')
})

test('each node has separate buckets, and a sampled row counts by its weight', async () => {
  const rows: Row[] = [1, 1, 1, 1, 2, 2].map((node) => ({ node }))
  expect(await codes({ rateRules: [rate] }, rows)).toBe('111311')
  expect(await codes({ rateRules: [rate] }, [{ weight: 2 }, { weight: 2 }, { weight: 2 }])).toBe('113')
})

test('the guard order applies: an allow rule or an earlier deny rule pre-empts the tested rule', async () => {
  const rows: Row[] = [{}, { address: '192.0.2.2' }, { address: '192.0.2.3' }]
  const asDeny = { guard: 'denyRules' as const }
  expect(await codes({ denyRules: [{ ...deny, ips: ['192.0.2.0/24'] }] }, rows, asDeny)).toBe('222')
  const allowRules = [{ ...deny, id: 1 }]
  const denyRules = [
    { ...deny, id: 2, ips: ['192.0.2.2'] },
    { ...deny, ips: ['192.0.2.0/24'] },
  ]
  expect(await codes({ allowRules, denyRules }, rows, asDeny)).toBe('002')
  expect(await codes({ allowRules: [deny], denyRules }, rows, { guard: 'allowRules' })).toBe('100')
})

test('earlier decisions of other rules are reported where the tested rule alone would have matched', async () => {
  const rows: Row[] = [{ weight: 3 }, { address: '192.0.2.2' }, { address: '192.0.2.3' }, { address: '198.51.100.1' }]
  const whole = [{ ...deny, ips: ['192.0.2.0/24'] }]
  const allowRules = [{ ...deny, id: 1 }]
  const batch: BacktestBatch = {
    run: fresh(),
    isFirst: true,
    artefact: site({ allowRules, denyRules: [{ ...deny, id: 2, ips: ['192.0.2.2'] }, ...whole] }).artefact!,
    alone: site({ denyRules: whole }).artefact!,
    guard: 'denyRules',
    rule: 6,
    columns: columns(rows),
  }
  expect(await box.control('POST', '/backtest', batch)).toEqual({
    codes: '8820',
    failed: 0,
    earlier: {
      'allowRules 1': { guard: 'allowRules', rule: 1, isAllowed: true, requests: 3 },
      'denyRules 2': { guard: 'denyRules', rule: 2, isAllowed: false, requests: 1 },
    },
  })
  const rated = { ...batch, run: fresh(), guard: 'rateRules' as const, columns: columns([{}, { path: '/other' }]) }
  const artefact = site({ denyRules: whole, rateRules: [rate] }).artefact!
  const told = await box.control<BacktestVerdicts>('POST', '/backtest', {
    ...rated,
    artefact,
    alone: site({ rateRules: [rate] }).artefact!,
  })
  expect(told.codes).toBe('80')
})

test('visitors who passed a challenge in the last half hour get ten times the limit; refusals are marked', async () => {
  const passing: Row = { path: '/.well-known/breakwater/challenge', method: 'POST', status: 204 }
  const many = (count: number, row: Row = {}) => Array.from({ length: count }, () => row)
  const told = await codes({ rateRules: [rate] }, [passing, ...many(40), ...many(4, { agent: 2 })])
  expect(told.slice(1, 34)).toBe('1'.repeat(33))
  expect(told.slice(34, 41)).toMatch(/^1*6+$/)
  expect(told.slice(41)).toBe('3333')
  const later = many(4, { time: 2900 })
  expect(await codes({ rateRules: [rate] }, [passing, ...later])).toBe('01113')
  expect(await codes({ denyRules: [deny] }, [{}, passing, {}], { guard: 'denyRules' })).toBe('266')
})

test('user agents, referers and countries are taken from the rows', async () => {
  const rows: Row[] = [{ userAgent: 'BadBot/1', country: 'US' }, { country: 'DE' }, { referer: 'https://a.example/' }]
  const common = { id: 6, urlRegex: '^/', mode: 'enforce' as const, blockType: 0 }
  const agentRules = [{ ...common, userAgentRegex: '^BadBot/|^$' }]
  expect(await codes({ agentRules }, rows, { guard: 'agentRules' })).toBe('222')
  expect(await codes({ agentRules: [{ ...common, userAgentRegex: 'Bot' }] }, rows, { guard: 'agentRules' })).toBe('200')
  const headerRules = [{ ...common, header: 'referer', valueRegex: '' }]
  expect(await codes({ headerRules }, rows, { guard: 'headerRules' })).toBe('002')
  const regionRules = [{ ...common, countries: ['US', 'ZZ'], isBlack: false, blockType: 2 }]
  expect(await codes({ regionRules }, rows, { guard: 'regionRules' })).toBe('030')
})

test('rules of a domain are tested only on its own requests, with the logged Referer and User-Agent', async () => {
  const rows: Row[] = [
    { referer: 'https://friend.example/' },
    { referer: 'https://foreign.example/', userAgent: 'curl/8.0' },
    { referer: 'https://foreign.example/', domain: 'other.test' },
    {},
    { referer: 'https://site.test/page', userAgent: 'Mozilla' },
  ]
  const common = { id: 6, urlRegex: '^/', mode: 'enforce' as const }
  const tried = (guard: 'antiReferers' | 'antiHeaders', rule: object, over: SiteFacts['firewall'] = {}) => {
    const hosts = ['site.test', 'other.test']
    const ofDomains = { 'site.test': { [guard]: [{ ...common, ...rule }] } }
    const facts = { hosts, origins: [{ port: origin.port }], firewall: over, ofDomains } as SiteFacts
    return codes({}, rows, { artefact: box.disk.site(facts).artefact!, guard })
  }
  const referer = { referers: ['friend.example'], isBlack: false, allowEmpty: true }
  expect(await tried('antiReferers', referer)).toBe('02000')
  expect(await tried('antiReferers', { ...referer, allowEmpty: false })).toBe('02020')
  expect(await tried('antiReferers', { ...referer, isBlack: true })).toBe('20000')
  const agent = { header: 'user-agent', valueRegex: '^$|^curl/', blockType: 0 }
  expect(await tried('antiHeaders', agent)).toBe('22020')
  expect(await tried('antiHeaders', { header: 'referer', valueRegex: '', blockType: 2 })).toBe('33003')
  // A site's header rule runs after the domain's; an allow rule runs before both.
  expect(await tried('antiHeaders', agent, { headerRules: [{ ...common, ...agent, id: 7 }] })).toBe('22020')
  expect(await tried('antiHeaders', agent, { allowRules: [{ ...deny, id: 1 }] })).toBe('00000')
})

test('the network of an address matches the data at the ends of networks, in both families', async () => {
  const folder = dirname(createRequire(import.meta.url).resolve('@ip-location-db/asn/package.json'))
  const rows: Row[] = []
  const asns = new Set<number>()
  for (const [name, every] of [
    ['asn-ipv4.csv', 4001],
    ['asn-ipv6.csv', 2003],
  ] as const) {
    const lines = readFileSync(join(folder, name), 'utf8').split('\n')
    for (let at = 0; at < lines.length - 1; at += every) {
      const [first = '', last = '', asn = ''] = lines[at]!.split(',', 3)
      // IPv6 networks are looked up by the first 48 bits.
      if (first.includes(':') && parseRange(`${first}-${last}`)!.to - parseRange(first)!.from < 2n ** 80n) continue
      rows.push({ address: first, bytesSent: Number(asn) }, { address: last, bytesSent: Number(asn) })
      if (asns.size < 100) asns.add(Number(asn))
    }
  }
  rows.push({ address: '192.0.2.1', bytesSent: 0 }, { address: '255.255.255.255', bytesSent: 0 }, { address: '::1' })
  const common = { id: 6, urlRegex: '^/', mode: 'enforce' as const, blockType: 0 }
  const regionRules = [{ ...common, countries: [], asns: [...asns], isBlack: true }]
  const wanted = rows.map(({ bytesSent = 0 }) => (asns.has(bytesSent) ? '2' : '0')).join('')
  expect([wanted.length > 200, wanted.includes('2'), wanted.includes('0')]).toEqual([true, true, true])
  expect(await codes({ regionRules }, rows, { guard: 'regionRules' })).toBe(wanted)
  // A logged network is trusted: the address may have moved to another network since.
  const logged = [{ asn: 13335 }, { asn: 64512 }, { asn: 0 }]
  const ofOne = [{ ...common, countries: [], asns: [64512], isBlack: true }]
  expect(await codes({ regionRules: ofOne }, logged, { guard: 'regionRules' })).toBe('020')
})

test('a logged verified bot is spared a challenge, but not a refusal', async () => {
  const rows = [{ country: 'US' }, { country: 'US', bot: 'ExampleBot' }]
  const rule = { id: 6, urlRegex: '^/', mode: 'enforce' as const, countries: ['US'], isBlack: true }
  expect(await codes({ regionRules: [{ ...rule, blockType: 1 }] }, rows, { guard: 'regionRules' })).toBe('30')
  expect(await codes({ regionRules: [{ ...rule, blockType: 0 }] }, rows, { guard: 'regionRules' })).toBe('26')
})

test('a reputation rule uses the current scores', async () => {
  const rule = { id: 6, urlRegex: '^/', score: 50, blockType: 1, mode: 'enforce' as const }
  const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '2001:db8::1']
  const scores = { '192.0.2.1': 50, '192.0.2.2': 49, '2001:db8::1': 100 }
  const rows = addresses.map((address) => ({ address }))
  expect(await codes({ reputationRules: [rule] }, rows, { guard: 'reputationRules', scores })).toBe('3003')
})

test('an interval rule counts the rows per address and node from the first one, by their weight', async () => {
  const interval = { id: 6, urlRegex: '^/rate', seconds: 60, times: 2, blockType: 1, mode: 'enforce' as const }
  const asked = (rows: Row[]) => codes({ intervalRules: [interval] }, rows, { guard: 'intervalRules' })
  const at = (time: number): Row => ({ time })
  expect(await asked([at(1000), at(1010), at(1020), at(1059), at(1061), { node: 8, time: 1062 }])).toBe('113311')
  const antiCC = [{ ...interval, blockSeconds: 60 }]
  expect(await codes({ antiCC }, [at(1000), at(1010), at(1020)], { guard: 'antiCC' })).toBe('113')
  expect(await asked([{ weight: 2 }, { weight: 2 }, { path: '/other' }])).toBe('130')
})

test('live buckets are not affected', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  await codes(
    { rateRules: [rate] },
    Array.from({ length: 50 }, () => ({ node: 7, address: '203.0.113.9' })),
  )
  expect((await box.request('site.test', '/rate', { headers })).status).toBe(200)
})

test('slow expressions end a batch early; the run and the lab continue', async () => {
  // No common beginning: it would be matched only once for all of them.
  const slow = Array.from({ length: 100 }, (_, i) => ({ ...rate, id: 100 + i, urlRegex: `^/(x${i}|a|b|ab)*c${i}` }))
  // Each row has its own path, because recent matches are cached.
  const rows = Array.from({ length: 200_000 }, (_, i) => ({ path: `/${'ab'.repeat(8)}/${i}` }))
  const told = await codes({ rateRules: [...slow, rate] }, rows)
  expect(told.length).toBeGreaterThan(0)
  // All rows would take more than a minute.
  expect(told.length).toBeLessThan(rows.length / 4)
  expect(await codes({ rateRules: [rate] }, [{}])).toBe('1')
})
