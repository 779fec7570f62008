import { cacheStatus } from '@breakwater/contract/delivery/cache-status.ts'
import { compression } from '@breakwater/contract/delivery/compression.ts'
import { originCertificate } from '@breakwater/contract/delivery/origin-certificate.ts'
import { originHealth } from '@breakwater/contract/delivery/origin-health.ts'
import { originTimeouts } from '@breakwater/contract/delivery/origin-timeouts.ts'
import { originTls } from '@breakwater/contract/delivery/origin-tls.ts'
import { requestHandling } from '@breakwater/contract/delivery/request-handling.ts'
import { siteDns } from '@breakwater/contract/dns/site-dns.ts'
import { apiShield } from '@breakwater/contract/firewall/api-shield.ts'
import { siteMode } from '@breakwater/contract/firewall/site-mode.ts'
import { makeFormat } from '@breakwater/contract/format.ts'
import { fill } from '@breakwater/contract/phrases.ts'
import { originCredential } from '@breakwater/contract/sites/origin-credential.ts'
import { expect, test } from 'vitest'
import { ruleKinds as authenticationKinds } from '../../authentication/rule-kinds.ts'
import { ruleKinds as deliveryKinds } from '../../delivery/rule-kinds.ts'
import { ruleKinds as firewallKinds } from '../../firewall/rule-kinds.ts'
import { plain } from '../../kit/Marked.tsx'
import { phrases as english } from '../../kit/rules/words/en_US.ts'
import { phrases as taiwan } from '../../kit/rules/words/zh_TW.ts'
import type { Say } from '../../platform/phrases.ts'
import type { RuleKinds } from '../../platform/rule-kinds.ts'
import { partWords, unitName } from './part-words.ts'
import { changeWords, makeRuleSay, ruleWords } from './rule-words.ts'

const sayer = (texts: Record<string, string>, locale: 'en_US' | 'zh_TW') =>
  ((key: string, values?: Record<string, string | number>) =>
    fill(texts[key] ?? key, locale, values)) as unknown as Say<'rules'>
const en = makeRuleSay(sayer(english, 'en_US'), makeFormat('en_US', 'UTC'), 'en_US')
const tw = makeRuleSay(sayer(taiwan, 'zh_TW'), makeFormat('zh_TW', 'UTC'), 'zh_TW')
const kinds: RuleKinds = { ...firewallKinds, ...deliveryKinds, ...authenticationKinds }

const meta = { enabled: true, mode: 'observe', memo: '', expiresAt: null }
const rate = { urlRegex: '^/login', rate: 50, burst: 20, blockType: 5, priority: 100, ...meta }

test('every kind of rule is described by a sentence', () => {
  const said = (kind: string, rule: object) => {
    const { when, does } = ruleWords(kinds, kind, { ...meta, ...rule }, en)
    return plain(`${when} -> ${does}`)
  }
  expect(said('rateRules', rate)).toBe(
    'the path matches ^/login and one address sends more than 50 requests per second (burst 20) -> challenge (slider captcha)',
  )
  expect(
    said('denyRules', { ips: ['192.0.2.1', '192.0.2.2', '192.0.2.3'], urlRegex: '', methodValues: ['POST'] }),
  ).toBe('the address is 192.0.2.1, 192.0.2.2 or others, 3 in all and the method is POST -> block')
  expect(said('allowRules', { ips: ['192.0.2.1'], urlRegex: '^/a' })).toBe(
    'the address is 192.0.2.1 and the path matches ^/a -> allow',
  )
  expect(said('bodyRules', { urlRegex: '^/up', methodValues: ['PUT'], contains: '<?php' })).toBe(
    'the path matches ^/up and the method is PUT and the body contains <?php -> block',
  )
  expect(said('agentRules', { urlRegex: '^/', userAgentRegex: '^curl/', blockType: 0 })).toBe(
    'the User-Agent matches ^curl/ and the path matches ^/ -> block',
  )
  expect(said('reputationRules', { urlRegex: '^/', score: 50, blockType: 1 })).toBe(
    'the address scores 50 or more and the path matches ^/ -> challenge (five-second shield)',
  )
  expect(said('headerRules', { urlRegex: '^/a', header: 'X-A', valueRegex: '', blockType: 3 })).toBe(
    'the path matches ^/a and the header X-A is present -> challenge (click to verify)',
  )
  expect(said('intervalRules', { urlRegex: '^/a', times: 20, seconds: 3600, blockType: 1 })).toBe(
    'the path matches ^/a and one address sends more than 20 requests in 3,600 seconds -> challenge (five-second shield)',
  )
  expect(said('antiCC', { urlRegex: '^/a', type: 2, blockType: 1, blockSeconds: 600 })).toBe(
    'the path matches ^/a and one address exceeds the trigger frequency #2 -> challenge (five-second shield); ban the address for 600 s after five failures',
  )
  const offered = [{ id: 2, name: 'Fast', seconds: 10, times: 100 }]
  const known = makeRuleSay(sayer(english, 'en_US'), makeFormat('en_US', 'UTC'), 'en_US', offered)
  expect(plain(ruleWords(kinds, 'antiCC', { ...meta, urlRegex: '', type: 2, blockType: 1 }, known).when)).toBe(
    'one address sends more than 100 requests in 10 seconds',
  )
  expect(said('regionRules', { urlRegex: '', geoIDs: [1082, 1516], isBlack: false, blockType: 0 })).toBe(
    'the visitor does not come from Germany, Taiwan -> block',
  )
  expect(said('regionRules', { urlRegex: '', geoIDs: [], asns: [13_335], isBlack: true, blockType: 0 })).toBe(
    'the visitor comes from AS13335 -> block',
  )
  expect(said('cacheRules', { type: 'image', values: [], ttl: 86_400, ignoreQuery: true })).toBe(
    'it is an image -> cache for 1d, ignoring the query string',
  )
  expect(said('cacheRules', { type: 'path', values: ['/a/'], ttl: 0 })).toBe('the path begins with /a/ -> do not cache')
})

test('a change lists the fields with their old and new values, for saved rules too', () => {
  const { enabled, mode, memo, expiresAt, ...body } = rate
  const saved = { id: 7, sort: 100, createdAt: 'then', enabled, mode, memo, expiresAt, body }
  const after = { ...saved, mode: 'enforce', body: { ...body, rate: 100 } }
  expect(plain(changeWords(kinds, 'rateRules', saved, after, en))).toBe(
    'Rate rule “^/login”: requests per second 50 → 100, mode Observe → Enforce',
  )
  expect(plain(changeWords(kinds, 'rateRules', saved, after, tw))).toBe(
    '變更速率規則「^/login」：每秒請求數由 50 改為 100，模式由 僅觀察 改為 攔截',
  )
  expect(plain(changeWords(kinds, 'rateRules', null, saved, en))).toMatch(
    /^Rate rule added: When the path matches \^\/login/,
  )
  expect(plain(changeWords(kinds, 'rateRules', saved, null, en))).toMatch(/^Rate rule removed: When/)
})

test('changes of long lists are counted as added and removed', () => {
  const ips = (...last: number[]) => ({ ...meta, ips: last.map((n) => `192.0.2.${n}`) })
  expect(plain(changeWords(kinds, 'denyRules', ips(1, 2, 3), ips(2, 3, 4, 5), en))).toBe(
    'Deny rule “192.0.2.1”: addresses 2 added, 1 removed',
  )
})

test('every field of a rule has a name', async () => {
  const { domainRuleLists, ruleLists } = await import('@breakwater/contract/index.ts')
  for (const { kind, item } of Object.values({ ...ruleLists, ...domainRuleLists })) {
    const named = { ...kinds[kind]?.fields }
    expect([kind, Object.keys(item.shape).filter((field) => !(field in named || `field.${field}` in english))]).toEqual(
      [kind, []],
    )
  }
})

test('a change of a part that is not a rule is described by a sentence too', () => {
  const say = (path: string, kind: 'added' | 'removed' | 'changed', before: unknown, after: unknown, words = en) =>
    plain(partWords(kinds, { path, kind, before, after }, words))
  const domain = { name: 'a.example', status: 1, tags: [], upstreams: [{ id: 1, ip: '192.0.2.1' }] }
  expect(say('domains/a.example', 'removed', domain, null)).toBe('Domain a.example removed')
  expect(say('domains/a.example', 'removed', domain, null, tw)).toBe('移除網域 a.example')
  const moved = { ...domain, upstreams: [{ id: 1, ip: '192.0.2.2' }] }
  expect(say('domains/a.example', 'changed', domain, moved)).toBe('Domain a.example: origins 1 changed')
  expect(say('domains/a.example/modules', 'added', null, { waf: 6 })).toBe('Domain a.example: WAF module bound')
  expect(say('domains/a.example/modules', 'changed', { waf: 6, cors: 2 }, { waf: 7 }, tw)).toBe(
    '網域 a.example：WAF 模組已改綁另一個，CORS 模組已解除綁定',
  )
  expect(say('settings/compression', 'changed', { level: 1 }, { level: 5 })).toBe('Compression: level 1 → 5')
})

test('the fields of a site or a domain, and their values, have names', async () => {
  const { settingsGroups } = await import('@breakwater/contract/index.ts')
  const ofSites = settingsGroups.filter(({ owner }) => owner === 'site')
  const fields = ofSites.flatMap(({ schema }) => Object.keys((schema as unknown as { shape: object }).shape))
  expect(fields.length).toBeGreaterThan(30)
  const ofDomains = ['status', 'scheme', 'portMap', 'tags', 'forceSsl', 'autoSsl', 'balance', 'ownership', 'upstreams']
  expect([...fields, ...ofDomains].filter((field) => !(`field.${field}` in english))).toEqual([])
  const [before, after] = [
    { autoSsl: false, scheme: 3, balance: 1 },
    { autoSsl: true, scheme: 2, balance: 4 },
  ]
  const change = { path: 'domains/a.example', kind: 'changed' as const, before, after }
  expect(plain(partWords(kinds, change, en))).toBe(
    'Domain a.example: automatic certificate no → yes, how visitors connect HTTP and HTTPS → HTTPS only, load balancing round robin → by URL',
  )
})

test('the fields of a module have names', async () => {
  const [{ WafModule }, { Cors }] = [
    await import('@breakwater/contract/modules/waf.ts'),
    await import('@breakwater/contract/modules/cors.ts'),
  ]
  const fields = [...Object.keys(WafModule.shape), ...Object.keys(Cors.shape), 'rules', 'secret']
  expect(fields.filter((field) => !(`field.${field}` in english))).toEqual([])
  const waf = (threshold: number, ...ids: number[]) => ({
    ...{ name: 'shop', kind: 'waf', body: { mode: 'observe', threshold } },
    rules: ids.map((id) => ({ id })),
  })
  const change = { path: 'modules/6', kind: 'changed' as const, before: waf(5, 1), after: waf(9, 2, 3) }
  expect(plain(partWords(kinds, change, en))).toBe('WAF module shop: threshold 5 → 9, rules 2 added, 1 removed')
})

test('every family of modules has a name of its own', async () => {
  const files = Object.values(
    import.meta.glob(['../../../../contract/src/modules/*.ts', '!**/*.test.ts'], { eager: true }),
  )
  const families = files.flatMap((file) =>
    Object.values(file as Record<string, { kind: string; bindAs?: string }>).flatMap((one) =>
      one.bindAs ? [one.kind] : [],
    ),
  )
  expect(families.length).toBeGreaterThan(5)
  const added = (kind: string) =>
    plain(partWords(kinds, { path: 'modules/7', kind: 'added', after: { kind, name: 'a' } }, en))
  expect(added('waf')).toBe('WAF module a added')
  expect(families.map(added).filter((said) => said === 'Module a added')).toEqual([])
})

const settings = [
  compression,
  requestHandling,
  cacheStatus,
  siteDns,
  originTimeouts,
  originTls,
  originCertificate,
  originHealth,
  originCredential,
  siteMode,
  apiShield,
]

test('every part of a site that can be restored has a name', () => {
  for (const part of ['site', 'domains', 'modules', 'denyRules', 'cacheRules', ...settings.map(({ name }) => name)])
    expect(unitName(kinds, part, en)).not.toBe(part)
})
