/**
 * WAF modules through the API: their rendering for nodes, the rule set that sites share, and input that is rejected.
 */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { coreRuleSet } from '../waf/core-rule-set.ts'
import { openShops, type Shop, type Shops } from './testing/shops.ts'

let server: TestServer
let as: TokenSet
let shops: Shops
let shop: Shop
let other: Shop
let module: number
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  shops = openShops(server, as)
  shop = await shops.make('guarded')
  other = await shops.make('beside')
  module = (await shops.must('POST', `${shop.of}/module/wafs`, { modules: [{ name: 'shop' }] })).ids[0]
  for (const { of, domain } of [shop, other])
    await shops.must('PUT', `${of}/domains/module/waf`, { domainIDs: [domain], moduleID: module })
})
afterAll(() => server.stop())

const place = () => `${shop.of}/module/waf/${module}`
const settings = { memo: '', enabled: true, mode: 'observe', blockType: 0, paranoia: 1, threshold: 5, responses: 'off' }

test('a module’s settings and its rules both reach the nodes of bound sites', async () => {
  const rows = await shops.must('GET', `${shop.of}/module/wafs`)
  expect(rows).toEqual([{ id: module, name: 'shop', ...settings, overBudget: 'block', ruleCount: 0, domainCount: 2 }])
  await shops.must('PUT', `${shop.of}/module/waf`, {
    ...{ id: module, name: 'shop', mode: 'enforce', paranoia: 2, threshold: 10, overBudget: 'pass' },
  })
  const { ids } = await shops.must('POST', `${place()}/rules`, {
    items: [
      { ruleID: 941100, name: 'editor', urlRegex: '^/editor$', target: 'arg:html', methodValues: ['POST'] },
      { ruleID: 913100, name: 'scanners', action: 'enforce', blockType: 1, expiresAt: '2040-01-01T00:00:00Z' },
      { ruleID: 0, name: 'not now', enabled: false },
    ],
  })
  const { artefact, requires, part } = await shops.published(shop.site, 'waf')
  expect(requires).toEqual(['waf'])
  expect(part).toEqual({
    ...{ kind: 'waf', module, ruleSet: artefact.parts.wafRules, mode: 'enforce', blockType: 0, paranoia: 2 },
    ...{ threshold: 10, bodyBytes: 131_072, overBudget: 'pass' },
    rules: [
      {
        ...{ id: ids[0], rule: 941100, urlRegex: '^/editor$', methods: ['POST'], action: 'off', blockType: 0 },
        target: 'arg:html',
      },
      {
        ...{ id: ids[1], rule: 913100, urlRegex: '', methods: [], action: 'enforce', blockType: 1, target: '' },
        expiresAt: 2_208_988_800,
      },
    ],
  })
  const beside = await shops.published(other.site, 'waf')
  expect(beside.artefact.parts.wafRules).toBe(artefact.parts.wafRules)
  expect(await shops.object(artefact.parts.wafRules!)).toEqual(coreRuleSet().part)

  await shops.must('PUT', `${place()}/rule`, { id: ids[0], ruleID: 941160, name: 'editor', action: 'observe' })
  await shops.must('DELETE', `${place()}/rules`, { ids: [ids[1]] })
  const changed = await shops.published(shop.site, 'waf')
  expect(changed.part.rules).toMatchObject([{ id: ids[0], rule: 941160, action: 'observe', urlRegex: '' }])
})

test('response rules reach nodes if a module uses them, and refuse only if it enforces', async () => {
  const put = (said: object) => shops.must('PUT', `${shop.of}/module/waf`, { id: module, name: 'shop', ...said })
  await put({ mode: 'observe', responses: 'enforce' })
  const observed = await shops.published(shop.site, 'waf')
  expect(observed.requires).toEqual(['waf', 'wafResponses'])
  expect(observed.part.responses).toEqual({ mode: 'observe', ruleSet: observed.artefact.parts.wafResponses })
  expect(await shops.object(observed.artefact.parts.wafResponses!)).toEqual(coreRuleSet().responses)
  await put({ mode: 'enforce', responses: 'enforce' })
  expect((await shops.published(shop.site, 'waf')).part.responses!.mode).toBe('enforce')
  await put({ mode: 'enforce' })
  const off = await shops.published(shop.site, 'waf')
  expect([off.requires, off.part.responses, off.artefact.parts.wafResponses]).toEqual([['waf'], undefined, undefined])
  const used = await shops.must('GET', `${shop.of}/module/wafs/ruleSet`)
  expect(used).toEqual({ name: coreRuleSet().part.name, isDefault: true, rules: coreRuleSet().texts.length })
})

test('a module that is off, and one without bound domains, are not published', async () => {
  await shops.must('PUT', `${shop.of}/module/waf`, { id: module, name: 'shop', enabled: false })
  const off = await shops.published(shop.site, 'waf')
  expect([off.part, off.artefact.parts.wafRules]).toEqual([undefined, undefined])
  await shops.must('PUT', `${shop.of}/module/waf`, { id: module, name: 'shop', enabled: true })
  await shops.must('PUT', `${other.of}/domains/module/waf`, { domainIDs: [other.domain], moduleID: 0 })
  const unbound = await shops.published(other.site, 'waf')
  expect([unbound.requires, unbound.part, unbound.artefact.parts.wafRules]).toEqual([[], undefined, undefined])
})

test('the rules of the set are listed with their descriptions', async () => {
  const rules = await shops.must('GET', '/user/module/wafs/defaultRules')
  expect(rules.length).toBe(coreRuleSet().part.rules.length + coreRuleSet().responses!.rules.length)
  expect(rules.find(({ id }: { id: number }) => id === 942100)).toEqual({
    ...{ id: 942100, name: 'SQL Injection Attack Detected via libinjection', category: 'SQLI', level: 1 },
    ...{ description: 'attack-sqli', action: 'enforce' },
  })
})

test('invalid settings are rejected at their field, and nothing is saved', async () => {
  for (const [field, value] of [
    ['paranoia', 5],
    ['threshold', 0],
    ['mode', 'loud'],
    ['blockType', 9],
    ['overBudget', 'shrug'],
  ] as const) {
    const { status, body } = await shops.call('PUT', `${shop.of}/module/waf`, { id: module, name: 'x', [field]: value })
    expect([field, status, body.extra?.[0]?.field]).toEqual([field, 400, field])
  }
  for (const [field, value] of [
    ['ruleID', -1],
    ['urlRegex', '(a+)+$'],
    ['target', 'body:x'],
    ['action', 'maybe'],
    ['expiresAt', 'soon'],
    ['methodValues', []],
  ] as const) {
    const items = [{ ruleID: 942100, name: 'x', [field]: value }]
    const { status, body } = await shops.call('POST', `${place()}/rules`, { items })
    expect([field, status, body.extra?.[0]?.field]).toEqual([field, 400, `items.0.${field}`])
  }
  expect((await shops.must('GET', `${shop.of}/module/wafs`))[0].name).toBe('shop')
})
