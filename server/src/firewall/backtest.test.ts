/** The back-test through the API: real rows in the event store, and the lab's end of the socket played by the test. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { Artefact } from '@breakwater/contract/edge/artefact.ts'
import { BacktestBatch } from '@breakwater/contract/edge/backtest.ts'
import type { FirewallPart } from '@breakwater/contract/edge/site-parts.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type LogServer, startLogServer } from '../logs/testing/log-server.ts'
import { openShops } from '../modules/testing/shops.ts'

type Judge = (batch: BacktestBatch, firewall: FirewallPart, ofDomain?: FirewallPart) => string | Promise<string>

let server: LogServer
let stub: Server
let judge: Judge
let ended: string[] = []
let told: object = {}
const now = Date.now() / 1000
/** The same code for all rows of a batch. */
const all =
  (code: number): Judge =>
  (batch) =>
    String(code).repeat(batch.columns[0].length)

beforeAll(async () => {
  server = await startLogServer()
  const lab = join(server.services.env.dataFolder, 'lab')
  mkdirSync(join(lab, 'run'), { recursive: true })
  const object = (hash: string) => JSON.parse(readFileSync(join(lab, 'objects', hash.slice(0, 2), hash), 'utf8'))
  stub = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text)
    if (request.url === '/backtest/end') {
      ended.push(body.run)
      return void response.end('{}')
    }
    try {
      const batch = BacktestBatch.parse(body)
      const artefact = object(batch.artefact) as Artefact
      const firewall = object(artefact.parts.firewall) as FirewallPart
      const ofDomain = artefact.domains.flatMap((domain) => domain.firewall ?? [])[0]
      const codes = await judge(batch, firewall, ofDomain === undefined ? undefined : object(ofDomain))
      response.end(JSON.stringify({ codes, failed: 0, earlier: told }))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => stub.listen(join(lab, 'run', 'control.sock'), resolve))
  await server.uploadEvents([
    { time: now - 7200, address: '192.0.2.1', path: '/a', weight: 10, requestTime: 0 },
    { time: now - 60, address: '192.0.2.1', path: '/a', requestTime: 20_000, userAgent: 'x' },
    { time: now - 70, address: '2001:db8::7', path: '/b', query: 'q=1', action: 'block', status: 403, requestTime: 0 },
    { time: now - 90_000, address: '192.0.2.9', path: '/too-old' },
    { time: now - 65, address: '192.0.2.5', path: '/theirs', site: server.theirs.site },
  ])
})
beforeEach(() => {
  ended = []
  told = {}
  judge = all(0)
})
afterAll(async () => {
  stub.close()
  await server.stop()
})

const rateRule = { urlRegex: '^/', rate: 1, burst: 0 }
const run = (body: object, as = server.mine.token, site = server.mine.site) =>
  server.call('POST', `/user/site/${site}/firewall/backtest`, { as, body })

test('each row of the site’s last day is judged once, in order, and counted by its weight', async () => {
  let asked: BacktestBatch | undefined
  judge = (batch) => {
    asked = batch
    return '362'
  }
  const { status, body } = await run({ kind: 'denyRules', rule: { ips: ['192.0.2.1'] } })
  expect(status, JSON.stringify(body)).toBe(200)
  const [times, , weights, , , addresses, paths, queries, statuses] = asked!.columns
  // The second row was answered last, but arrived before the third.
  expect(paths).toEqual(['/a', '/a', '/b'])
  expect(times[1]).toBeCloseTo(now - 80, 2)
  expect([weights, addresses, queries, statuses]).toEqual([
    [10, 1, 1],
    ['192.0.2.1', '192.0.2.1', '2001:db8::7'],
    ['', '', 'q=1'],
    [200, 200, 403],
  ])
  expect(body.data).toMatchObject({
    requests: 12,
    sampled: { isSampled: false, oneIn: 1, rows: 3, of: 3 },
    isPartial: false,
    matched: 12,
    would: { block: 2, challenge: 10 },
    addresses: 2,
    topAddresses: [
      { name: '192.0.2.1', requests: 11 },
      { name: '2001:db8::7', requests: 1 },
    ],
    alreadyRefused: 1,
    passedChallenge: 1,
    examples: [
      { address: '192.0.2.1', would: 'challenge' },
      { address: '2001:db8::7', status: 403, action: 'block' },
    ],
  })
  expect(body.data.topPaths[0]).toEqual({ name: 'www.example.com/a', requests: 11 })
  const { series } = body.data
  expect([24, 25]).toContain(series.length)
  expect(series.reduce((sum: number, hour: { refused: number }) => sum + hour.refused, 0)).toBe(12)
  expect(ended).toEqual([asked!.run])
})

test('fewer hours read fewer rows; no rows at all is a valid result', async () => {
  expect((await run({ kind: 'denyRules', rule: { ips: ['192.0.2.1'] }, hours: 1 })).body.data.requests).toBe(2)
  const theirs = await run({ kind: 'rateRules', rule: rateRule }, server.theirs.token, server.theirs.site)
  expect(theirs.body.data).toMatchObject({ requests: 1, matched: 0 })
})

test('an allow rule acts on what it lets pass', async () => {
  judge = () => '011'
  const { data } = (await run({ kind: 'allowRules', rule: { ips: ['192.0.2.1'] } })).body
  expect(data).toMatchObject({ matched: 2, would: { block: 0, challenge: 0 }, addresses: 2, alreadyRefused: 1 })
  expect(data.examples[0]).toMatchObject({ would: 'pass' })
})

test('the rule is tried at its place among present rules, enforced and unexpired, and leaves no trace', async () => {
  const saved = async (rule: object) => {
    const path = `/user/site/${server.mine.site}/firewall/l7/secondRates`
    return (await server.call('POST', path, { as: server.mine.token, body: { ...rateRule, ...rule } })).body.data.id
  }
  const first = await saved({ priority: 10 })
  const second = await saved({ priority: 30 })
  const off = await saved({ priority: 5, enabled: false })
  const ended = await saved({ priority: 6 })
  await server.services.database.pool.query("update rules set expires_at = now() - interval '1 s' where id = $1", [
    ended,
  ])
  let seen: FirewallPart | undefined
  const artefacts: string[] = []
  judge = (batch, firewall) => {
    seen = firewall
    artefacts.push(batch.artefact)
    return all(0)(batch, firewall)
  }
  const rule = { ...rateRule, priority: 20, mode: 'observe', enabled: false, expiresAt: '2020-01-01T00:00:00Z' }
  await run({ kind: 'rateRules', rule })
  expect(seen!.rateRules!.map((one) => one.id)).toEqual([first, 2 ** 31 - 1, second])
  expect(seen!.rateRules![1]).toMatchObject({ mode: 'enforce', rate: 1 })
  expect(seen!.rateRules![1]).not.toHaveProperty('expiresAt')
  await run({ kind: 'rateRules', rule: { ...rateRule, rate: 7, priority: 20 }, id: second })
  expect(seen!.rateRules!.map(({ id, rate }) => [id, rate])).toEqual([
    [first, 1],
    [second, 7],
  ])
  expect([off, ended].some((id) => seen!.rateRules!.some((one) => one.id === id))).toBe(false)
  const objects = join(server.services.env.dataFolder, 'lab', 'objects')
  expect(artefacts.filter((hash) => existsSync(join(objects, hash.slice(0, 2), hash)))).toEqual([])
})

test('a rule to be replaced must exist', async () => {
  const { status, body } = await run({ kind: 'rateRules', rule: rateRule, id: 999_999 })
  expect([status, body.code]).toEqual([404, 101018])
})

test('an invalid rule gets the same errors as when it is saved', async () => {
  const wrong = { urlRegex: '(', rate: 0, burst: 1.5, blockType: 77, memo: 'x'.repeat(300), surprise: 1 }
  const path = `/user/site/${server.mine.site}/firewall/l7/secondRates`
  const saving = await server.call('POST', path, { as: server.mine.token, body: wrong })
  const trying = await run({ kind: 'rateRules', rule: wrong })
  expect(trying.status).toBe(400)
  expect({ ...trying.body, requestId: '' }).toEqual({ ...saving.body, requestId: '' })
  const missing = await run({ kind: 'denyRules', rule: {}, hours: 25 })
  expect(missing.body.extra).toEqual([{ field: 'hours', reason: 'number' }])
  const { extra } = (await run({ kind: 'denyRules', rule: {} })).body
  expect(extra).toEqual([{ field: 'ips', reason: 'required' }])
})

test('a body rule cannot be tried, and the error says why', async () => {
  const { status, body } = await run({ kind: 'bodyRules', rule: { urlRegex: '^/', contains: 'x' } })
  expect([status, body.code]).toEqual([400, 101003])
  expect(body.extra).toEqual([{ field: 'kind', reason: 'bodiesNotLogged' }])
})

test('a domain’s rule is tried among those of the domain, if the log has the headers it checks', async () => {
  const shops = openShops(server, server.mine.token)
  const { of, domain, site } = await shops.make('anti')
  const other = await shops.make('anti-other')
  await server.uploadEvents([
    { time: now - 60, path: '/tried', userAgent: 'curl/8', referer: 'https://foreign.example/', site, requestTime: 0 },
  ])
  const list = `${of}/domain/${domain}`
  const referer = { urlRegex: '^/', referers: ['friend.example'] }
  const first = (await shops.must('POST', `${list}/antiReferers`, { ...referer, urlRegex: '^/a' })).id
  const unlogged = { urlRegex: '^/', header: 'X-Scanner' }
  await shops.must('POST', `${list}/antiHeaders`, unlogged)
  let seen: FirewallPart | undefined
  let asked: BacktestBatch | undefined
  const artefacts: string[] = []
  judge = (batch, _firewall, ofDomain) => {
    seen = ofDomain
    asked = batch
    artefacts.push(batch.artefact)
    return '2'
  }
  const trial = (body: object) => shops.call('POST', `${of}/firewall/backtest`, body)
  const asReferer = { kind: 'antiReferers', domainId: domain, rule: referer }
  const { status, body } = await trial(asReferer)
  expect([status, body.data?.would.block], JSON.stringify(body)).toEqual([200, 1])
  expect([asked!.guard, asked!.columns[12]]).toEqual(['antiReferers', ['https://foreign.example/']])
  expect(seen!.antiReferers!.map(({ id, urlRegex }) => [id, urlRegex])).toEqual([
    [first, '^/a'],
    [2 ** 31 - 1, '^/'],
  ])
  // A rule for a header that is not logged would see requests without that header.
  expect(seen!.antiHeaders).toEqual([])
  await trial({ ...asReferer, id: first })
  expect(seen!.antiReferers!.map(({ id, urlRegex }) => [id, urlRegex])).toEqual([[first, '^/']])
  const asHeader = { kind: 'antiHeaders', domainId: domain, rule: { urlRegex: '^/', header: 'User-Agent' } }
  expect((await trial(asHeader)).status).toBe(200)
  expect([seen!.antiHeaders!.length, seen!.antiReferers!.length]).toEqual([1, 1])
  const objects = join(server.services.env.dataFolder, 'lab', 'objects')
  expect(artefacts.filter((hash) => existsSync(join(objects, hash.slice(0, 2), hash)))).toEqual([])

  const extra = async (wrong: object) => (await trial(wrong)).body.extra
  expect(await extra({ ...asHeader, rule: unlogged })).toEqual([{ field: 'header', reason: 'headerNotLogged' }])
  expect(await extra({ ...asReferer, domainId: undefined })).toEqual([{ field: 'domainId', reason: 'required' }])
  const ofSite = { kind: 'denyRules', domainId: domain, rule: { ips: ['192.0.2.1'] } }
  expect(await extra(ofSite)).toEqual([{ field: 'domainId', reason: 'unknownField' }])
  for (const missing of [{ domainId: other.domain }, { domainId: 999_999 }, { id: 999_999 }])
    expect((await trial({ ...asReferer, ...missing })).body.code).toBe(101018)
})

test('another customer’s site is refused like one that does not exist', async () => {
  const [theirs, missing] = [
    await run({ kind: 'rateRules', rule: rateRule }, server.mine.token, server.theirs.site),
    await run({ kind: 'rateRules', rule: rateRule }, server.mine.token, 999_999),
  ]
  expect([theirs.status, theirs.body.code]).toEqual([403, 101018])
  expect({ ...theirs.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
})

test('an ACL rule is tried in its module, if the log has the fields it checks', async () => {
  const shops = openShops(server, server.mine.token)
  const { of, domain } = await shops.make('acl')
  const { ids } = await shops.must('POST', `${of}/module/luaAcls`, { modules: [{ name: 'm' }] })
  await shops.must('PUT', `${of}/domains/module/luaAcl`, { domainIDs: [domain], moduleID: ids[0] })
  const conditions = { field: 'userAgent', operator: 'contains', values: ['bot'] }
  const saved = { name: 'first', conditions: { field: 'cookie', name: 'a', operator: 'exists' }, action: 'block' }
  const { id } = await shops.must('POST', `${of}/module/luaAcl/${ids[0]}/rule`, saved)
  const trial = (rule: object, more: object = {}) =>
    shops.call('POST', `${of}/module/luaAcl/${ids[0]}/rule/backtest`, { rule: { name: 'r', ...rule }, ...more })
  const site = Number(of.split('/').at(-1))
  await server.uploadEvents([{ time: now - 60, path: '/tried', userAgent: 'a bot', site, requestTime: 0 }])
  let asked: BacktestBatch | undefined
  judge = (batch) => {
    asked = batch
    return '1'
  }
  const skip = { conditions, action: 'skip', skip: ['waf'] }
  const { status, body } = await trial(skip)
  expect([status, body.data?.matched, body.data?.addresses], JSON.stringify(body)).toEqual([200, 1, 1])
  expect([asked!.guard, asked!.columns[11]]).toEqual(['luaAcls', ['a bot']])
  expect((await trial({ ...skip, action: 'limit', skip: [], limit: { rate: 1 } }, { id })).status).toBe(200)
  expect(asked!.rule).toBe(id)
  const unlogged = await trial({ ...saved, name: 'x' })
  expect([unlogged.status, unlogged.body.extra]).toEqual([
    400,
    [{ field: 'rule.conditions', reason: 'conditionNotLogged' }],
  ])
  expect((await trial(skip, { id: 2_000_000_000 })).status).toBe(404)
  await shops.must('PUT', `${of}/domains/module/luaAcl`, { domainIDs: [domain], moduleID: 0 })
  expect((await trial(skip)).body.extra).toEqual([{ field: 'rule', reason: 'moduleNotBound' }])
})

test('one at a time: a second is told to wait, and may run once the first is over', async () => {
  let release = () => {}
  let begun = () => {}
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  judge = (batch, firewall) =>
    new Promise((resolve) => {
      release = () => resolve(all(0)(batch, firewall) as string)
      begun()
    })
  const first = run({ kind: 'rateRules', rule: rateRule })
  await isBegun
  const second = await run({ kind: 'rateRules', rule: rateRule })
  expect([second.status, second.body.code, second.body.extra]).toEqual([429, 101029, { max: 1 }])
  release()
  expect((await first).status).toBe(200)
  judge = all(0)
  expect((await run({ kind: 'rateRules', rule: rateRule })).status).toBe(200)
})

test('rows not judged in time are not counted, and the result says up to which time it counted', async () => {
  judge = () => '2'
  const { data } = (await run({ kind: 'rateRules', rule: rateRule })).body
  expect(data).toMatchObject({ isPartial: true, requests: 10, matched: 10, sampled: { rows: 1, of: 3 } })
  expect(Date.parse(data.to) / 1000).toBeCloseTo(now - 80, 1)
})

test('a lab failure fails that run, but not the next', async () => {
  judge = () => {
    throw new Error('no')
  }
  const { status, body } = await run({ kind: 'rateRules', rule: rateRule })
  expect([status, body.code]).toEqual([502, 202001])
  expect(ended.length).toBe(1)
  judge = all(1)
  expect((await run({ kind: 'rateRules', rule: rateRule })).body.data).toMatchObject({ matched: 12, addresses: 0 })
})
