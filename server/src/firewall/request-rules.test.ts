/**
 * Rules about request headers, addresses and rates, of a domain and of a site, through their calls: saved, published,
 * restored, rejected.
 */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShops, type Shop, type Shops } from '../modules/testing/shops.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let as: TokenSet
let shops: Shops
let shop: Shop
let of: string
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  shops = openShops(server, as)
  shop = await shops.make('anti')
  of = `${shop.of}/domain/${shop.domain}`
})
afterAll(() => server.stop())

const published = () => shops.published(shop.site, 'firewall')
const referer = { urlRegex: '^/images/', referers: ['Friend.example.com', '*.bücher.example'], allowEmpty: false }
const header = { urlRegex: '^/', header: 'X-Scanner', valueRegex: '^a', blockType: 2 }

test('rules are published with their domain, and require nodes that support them', async () => {
  const { id } = await shops.must('POST', `${of}/antiReferers`, referer)
  const watched = await shops.must('POST', `${of}/antiHeaders`, { ...header, mode: 'observe' })
  const { requires, part } = await published()
  expect(requires).toEqual(['antiReferers'])
  expect(part).toMatchObject({
    antiReferers: [
      {
        ...{ id, urlRegex: '^/images/', referers: ['friend.example.com', '*.xn--bcher-kva.example'] },
        ...{ isBlack: false, allowEmpty: false, mode: 'enforce' },
      },
    ],
    antiHeaders: [{ id: watched.id, header: 'x-scanner', valueRegex: '^a', blockType: 2, mode: 'observe' }],
  })
  await shops.must('PUT', `${of}/antiHeader`, { id: watched.id, ...header, blockType: 0 })
  expect((await published()).requires).toEqual(['antiHeaders', 'antiReferers'])
  const { revision } = await shops.must('GET', shop.of)
  await shops.must('DELETE', `${of}/antiReferers`, { ids: [id] })
  await shops.must('DELETE', `${of}/antiHeaders`, { ids: [watched.id] })
  expect((await published()).part).toBeUndefined()
  await shops.must('POST', `${shop.of}/history/restore`, { revision })
  expect((await published()).part.antiReferers[0].referers).toHaveLength(2)
  expect((await shops.must('GET', `${of}/antiHeaders`))[0]).toMatchObject({ header: 'X-Scanner', blockType: 0 })
})

test('invalid values are reported at their field', async () => {
  const add = async (list: string, body: object) => {
    const reply = await shops.call('POST', `${of}/${list}`, body)
    return [reply.status, reply.body.extra?.[0]?.field]
  }
  expect(await add('antiReferers', { ...referer, referers: [] })).toEqual([400, 'referers'])
  expect(await add('antiReferers', { ...referer, referers: ['https://a.example.com'] })).toEqual([400, 'referers.0'])
  expect(await add('antiReferers', { ...referer, referers: ['a.*.example.com'] })).toEqual([400, 'referers.0'])
  expect(await add('antiReferers', { ...referer, urlRegex: '(a+)+' })).toEqual([400, 'urlRegex'])
  expect(await add('antiHeaders', { ...header, header: 'a b' })).toEqual([400, 'header'])
  expect(await add('antiHeaders', { ...header, valueRegex: '(a+)+' })).toEqual([400, 'valueRegex'])
  expect(await add('antiHeaders', { ...header, blockType: 6 })).toEqual([400, 'blockType'])
  const foreign = await shops.make('antiforeign')
  const reply = await shops.call('POST', `${shop.of}/domain/${foreign.domain}/antiReferers`, referer)
  expect(reply.body.code).toBe(101018)
})

test('rules of a site are published in the nodes’ format, and require nodes that support them', async () => {
  const l7 = `${shop.of}/firewall/l7`
  const agent = await shops.must('POST', `${l7}/userAgents`, { urlRegex: '^/', userAgentRegex: '^curl/' })
  const own = await shops.must('POST', `${l7}/antiHeaders`, { ...header, blockType: 0 })
  const interval = { urlRegex: '^/login', seconds: 600, times: 20, blockType: 3 }
  const counted = await shops.must('POST', `${l7}/intervalRates`, interval)
  // Germany, and Africa as a whole.
  const region = await shops.must('POST', `${l7}/geos`, {
    geoIDs: [1082, 6],
    asns: [64_512],
    isBlack: false,
    blockType: 0,
  })
  const trust = await shops.must('POST', `${l7}/abuseIPs`, { urlRegex: '^/', score: 70, blockType: 4 })
  const { artefact } = await shops.published(shop.site, 'firewall')
  expect(artefact.requires).toEqual(
    expect.arrayContaining([
      'agentRules',
      'headerRules',
      'intervalRules',
      'networks',
      'regionRules',
      'reputationRules',
    ]),
  )
  const mode = 'enforce'
  const part = await shops.object(artefact.parts.firewall)
  expect(part).toMatchObject({
    agentRules: [{ id: agent.id, urlRegex: '^/', userAgentRegex: '^curl/', blockType: 0, mode }],
    headerRules: [{ id: own.id, header: 'x-scanner', valueRegex: '^a', blockType: 0, mode }],
    intervalRules: [{ id: counted.id, seconds: 600, times: 20, blockType: 3, mode }],
    regionRules: [{ id: region.id, asns: [64_512], isBlack: false, blockType: 0, mode }],
    reputationRules: [{ id: trust.id, urlRegex: '^/', score: 70, blockType: 4, mode }],
  })
  expect(part.regionRules[0].countries).toEqual(expect.arrayContaining(['DE', 'EG', 'ZA']))
  expect(part.regionRules[0].countries).not.toContain('FR')
  const { revision } = await shops.must('GET', shop.of)
  await shops.must('DELETE', `${l7}/geos`, { ids: [region.id] })
  await shops.must('PUT', `${l7}/userAgent`, { id: agent.id, urlRegex: '^/a', userAgentRegex: '^$', blockType: 1 })
  expect((await shops.must('GET', `${l7}/userAgents`))[0]).toMatchObject({ userAgentRegex: '^$', blockType: 1 })
  await shops.must('POST', `${shop.of}/history/restore`, { revision })
  expect((await shops.must('GET', `${l7}/geos`))[0]).toMatchObject({ geoIDs: [1082, 6], isBlack: false })
})

test('invalid values in a site’s rules are reported at their field, and nothing is saved', async () => {
  const add = async (path: string, body: object) => {
    const reply = await shops.call('POST', `${shop.of}/firewall/${path}`, body)
    return [reply.status, reply.body.extra?.[0]?.field, reply.body.extra?.[0]?.reason]
  }
  const { revision } = await shops.must('GET', shop.of)
  for (const score of [0, 101, 1.5])
    expect(await add('l7/abuseIPs', { urlRegex: '^/', score })).toEqual([400, 'score', 'number'])
  const agent = { urlRegex: '^/', userAgentRegex: 'x' }
  const interval = { urlRegex: '^/', seconds: 60, times: 1 }
  expect(await add('l7/userAgents', { urlRegex: '^/' })).toEqual([400, 'userAgentRegex', 'required'])
  expect(await add('l7/userAgents', { ...agent, userAgentRegex: '(a+)+' })).toEqual([
    400,
    'userAgentRegex',
    'regexTooComplex',
  ])
  expect(await add('l7/userAgents', { ...agent, blockType: 6 })).toEqual([400, 'blockType', 'required'])
  expect(await add('l7/intervalRates', { ...interval, seconds: 0 })).toEqual([400, 'seconds', 'number'])
  expect(await add('l7/intervalRates', { ...interval, seconds: 86_401 })).toEqual([400, 'seconds', 'number'])
  expect(await add('l7/intervalRates', { ...interval, times: 0 })).toEqual([400, 'times', 'number'])
  expect(await add('l7/intervalRates', { ...interval, blockType: 0 })).toEqual([400, 'blockType', 'required'])
  expect(await add('l7/geos', { geoIDs: [] })).toEqual([400, 'geoIDs', 'required'])
  expect(await add('l7/geos', { asns: [0] })).toEqual([400, 'asns.0', 'wrongFormat'])
  expect(await add('l7/geos', { asns: [64_512, 64_512] })).toEqual([409, 'asns', 'duplicatedData'])
  expect(await add('l7/geos', { geoIDs: [1081] })).toEqual([400, 'geoIDs.0', 'wrongFormat'])
  expect(await add('l7/geos', { geoIDs: [1082, 1082] })).toEqual([409, 'geoIDs', 'duplicatedData'])
  const tried = { kind: 'headerRules', rule: { urlRegex: '^/', header: 'X-Scanner' } }
  expect(await add('backtest', tried)).toEqual([400, 'header', 'headerNotLogged'])
  expect((await shops.must('GET', shop.of)).revision).toBe(revision)
})

test('whole-site protection is published while it is enabled, with the paths of its white URLs', async () => {
  const place = `${shop.of}/firewall/setting/adv`
  expect(await shops.must('GET', `${place}/exists`)).toEqual({ exists: false })
  expect(await shops.must('GET', place)).toMatchObject({ enable: false, blockSeconds: 600 })
  const whiteUrls = ['https://shop.example.com/feed/?x=1', 'shop.example.com/a%20b', '/health']
  const body = { enable: true, blockType: 3, blockSeconds: 120, whiteUrls }
  await shops.must('PUT', place, body)
  expect(await shops.must('GET', `${place}/exists`)).toEqual({ exists: true })
  const sent = async () => {
    const { artefact } = await shops.published(shop.site, 'firewall')
    return [(await shops.object(artefact.parts.firewall)).siteMode, artefact.requires.includes('siteMode')]
  }
  const whitePaths = ['/a b', '/feed/', '/health']
  expect(await sent()).toEqual([{ blockType: 3, blockSeconds: 120, whitePaths }, true])
  await shops.must('PUT', place, { ...body, mode: 'off' })
  expect(await sent()).toEqual([{ blockType: 0, blockSeconds: 120, whitePaths }, true])
  await shops.must('PUT', place, { ...body, enable: false })
  expect(await sent()).toEqual([undefined, false])
  for (const [wrong, field] of [
    [{ blockSeconds: 59 }, 'blockSeconds'],
    [{ blockSeconds: 86_401 }, 'blockSeconds'],
    [{ whiteUrls: ['ftp://a/b'] }, 'whiteUrls.0'],
    [{ whiteUrls: ['/a b'] }, 'whiteUrls.0'],
    [{ blockType: 0 }, 'blockType'],
  ] as const) {
    const reply = await shops.call('PUT', place, { ...body, ...wrong })
    expect([reply.status, reply.body.extra?.[0]?.field]).toEqual([400, field])
  }
})

test('anti-CC rules name an operator’s frequency; nodes get its numbers, and it is kept while in use', async () => {
  const operator = await server.signIn('client', 'operator')
  const place = '/client/setting/frequency'
  const offered = async () => (await server.call('GET', place, { as: operator })).body.data
  const set = (items: object[]) => server.call('PUT', place, { as: operator, body: { items } })
  const usual = await offered()
  expect(usual.map(({ id, times, seconds }: Record<string, number>) => [id, times, seconds])).toEqual([
    [1, 600, 60],
    [2, 100, 10],
    [3, 30, 10],
  ])
  expect((await set([...usual, { name: 'Hourly', seconds: 3600, times: 1000 }])).status).toBe(200)
  expect(await shops.must('GET', '/user/setting/frequency')).toEqual([
    ...usual,
    { id: 4, name: 'Hourly', seconds: 3600, times: 1000 },
  ])
  const l7 = `${shop.of}/firewall/l7`
  const rule = { urlRegex: '^/', type: 4, blockType: 2, blockSeconds: 60 }
  const { id } = await shops.must('POST', `${l7}/antiCCs`, rule)
  const sent = async () => {
    const { artefact } = await shops.published(shop.site, 'firewall')
    return [(await shops.object(artefact.parts.firewall)).antiCC, artefact.requires.includes('antiCC')]
  }
  const common = { id, urlRegex: '^/', mode: 'enforce', blockType: 2, blockSeconds: 60 }
  expect(await sent()).toEqual([[{ ...common, seconds: 3600, times: 1000 }], true])
  expect((await shops.must('GET', `${l7}/antiCCs`))[0]).toMatchObject({ ...rule, priority: 100 })

  const slower = { id: 4, name: 'Hourly', seconds: 3600, times: 500 }
  expect((await set([usual[0], slower])).status).toBe(200)
  expect(await sent()).toEqual([[{ ...common, seconds: 3600, times: 500 }], true])
  const inUse = await set([usual[0]])
  expect([inUse.body.code, inUse.body.extra]).toEqual([101003, [{ field: 'items', reason: 'frequencyInUse' }]])

  const tried = await shops.call('POST', `${shop.of}/firewall/backtest`, { kind: 'antiCC', rule: { ...rule, type: 2 } })
  expect([tried.body.code, tried.body.extra]).toEqual([101018, [{ field: 'type', reason: 'notFound' }]])
  for (const [wrong, code, field] of [
    [{ type: 2 }, 101018, 'type'],
    [{ type: 0 }, 101003, 'type'],
    [{ type: undefined }, 101003, 'type'],
    [{ blockSeconds: 59 }, 101003, 'blockSeconds'],
    [{ urlRegex: '' }, 101003, 'urlRegex'],
  ] as const) {
    const made = await shops.call('POST', `${l7}/antiCCs`, { ...rule, ...wrong })
    expect([made.body.code, made.body.extra?.[0]?.field]).toEqual([code, field])
    const changed = await shops.call('PUT', `${l7}/antiCC`, { id, ...rule, ...wrong })
    expect([changed.body.code, changed.body.extra?.[0]?.field]).toEqual([code, field])
  }

  // A removed frequency does not come back, even if a restored revision names it, and its id is not reused.
  const { revision } = await shops.must('GET', shop.of)
  await shops.must('DELETE', `${l7}/antiCCs`, { ids: [id] })
  expect((await set([usual[0]])).status).toBe(200)
  expect((await set([usual[0], { name: 'New', seconds: 1, times: 1 }])).status).toBe(200)
  expect((await offered())[1].id).toBe(5)
  const restored = await shops.call('POST', `${shop.of}/history/restore`, { revision })
  expect([restored.body.code, restored.body.extra?.[0]?.field]).toEqual([101018, 'type'])

  const many = Array.from({ length: 21 }, (_, n) => ({ name: `f${n}`, seconds: 1, times: 1 }))
  for (const [items, code, field] of [
    [[], 101003, 'items'],
    [many, 101029, 'items'],
    [[usual[0], { ...usual[0], id: undefined }], 101025, 'items.1.name'],
    [[{ ...usual[0], id: 99 }], 101018, 'items.0.id'],
    [[{ ...usual[0], seconds: 0 }], 101003, 'items.0.seconds'],
    [[{ ...usual[0], times: 0 }], 101003, 'items.0.times'],
  ] as const) {
    const refused = await set([...items])
    expect([refused.body.code, refused.body.extra?.[0]?.field]).toEqual([code, field])
  }
})
