import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { facetFields } from '@breakwater/contract/logs/explorer.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openNotices } from '../db/notices.ts'
import { rowsWantedChannel } from '../events/notice.ts'
import { queryRows } from '../events/store.ts'
import { stepOf } from './histogram.ts'
import { type LogServer, startLogServer } from './testing/log-server.ts'

let server: LogServer
let otherSite: number
let scoped: TokenSet
const now = Math.floor(Date.now() / 1000)
const span = { startTime: now - 7_200, endTime: now + 60 }

beforeAll(async () => {
  server = await startLogServer()
  const { mine, theirs } = server
  otherSite = await server.makeSite(mine.token, 'other site of mine')
  const made = await server.call('POST', '/apiToken', {
    as: mine.token,
    body: { name: 'one site', siteIDs: [mine.site] },
  })
  scoped = { accessToken: made.body.data.token, refreshToken: '', tokenType: 'Bearer' }
  const many = Array.from({ length: 90 }, (_, i) => ({
    // Three rows per timestamp, so that pages end between rows of the same time.
    time: now - 3_000 + Math.floor(i / 3) * 20,
    requestId: `mine-${String(i).padStart(2, '0')}`,
    path: `/p${i % 4}`,
    status: i % 10 === 0 ? 503 : 200,
    cause: i % 10 === 0 ? 903 : 0,
    rule: i % 10 === 0 ? 41 : 0,
    guard: i % 10 === 0 ? 'denyRules' : '',
    action: i % 10 === 0 ? 'block' : 'pass',
    userAgent: i % 2 === 0 ? 'curl/8.5.0' : 'Probe-Bot/1.0 (Ünïcode)',
    weight: i === 5 ? 3 : 1,
    asn: i % 3 === 0 ? 4_200_000_000 : 0,
  }))
  await server.uploadEvents([
    ...many,
    { time: now - 500, requestId: 'other-1', site: otherSite, path: '/other' },
    { time: now - 500, requestId: 'theirs-1', site: theirs.site, path: '/theirs' },
  ])
})
afterAll(() => server.stop())

const ask = (call: string, body: object = {}, as = server.mine.token, tier = 'user') =>
  server.call('POST', `/${tier}/logs/explorer/${call}`, { as, body: { ...span, ...body } })
const row = (id: string, as = server.mine.token) =>
  server.call('GET', `/user/logs/explorer/row?id=${encodeURIComponent(id)}`, { as })
type Row = { id: string; reqID: string }
const idsOf = (rows: Row[]) => rows.map(({ reqID }) => reqID)
const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

test.each([
  ['everything', {}, 93],
  ['one verdict', { action: ['block'] }, 9],
  ['all but a verdict', { not: { action: ['block'] } }, 84],
  ['a rule', { rule: [41] }, 9],
  ['all but a rule', { not: { rule: [41] } }, 84],
  ['a network', { asn: [4_200_000_000] }, 30],
  ['no rule', { rule: [0] }, 84],
  ['text of the user agent in either case', { text: 'pRoBe-bOt' }, 47],
  ['text of the path', { text: '/p3' }, 22],
  ['text that means something to the engine', { text: "%' OR 1=1 --" }, 0],
])('the histogram and every facet of %s add up to one total', async (_name, filter, expected) => {
  const { data } = (await ask('histogram', filter)).body
  expect(data.total).toBe(expected)
  for (const by of ['action', 'status']) {
    const { buckets } = (await ask('histogram', { ...filter, by })).body.data
    expect(buckets.length).toBeLessThanOrEqual(120)
    expect(sum(buckets.flatMap(({ value }: { value: Record<string, number> }) => Object.values(value)))).toBe(expected)
  }
  const facets = (await ask('facets', { ...filter, fields: facetFields, top: 50 })).body
  for (const { total, values } of facets.data) {
    expect(total).toBe(expected)
    expect(sum(values.map(({ requests }: { requests: number }) => requests))).toBe(expected)
  }
})

test('filtering by a facet’s value finds that facet’s count, included and excluded', async () => {
  const fields = [...facetFields]
  const { data } = (await ask('facets', { fields })).body
  expect(data.map(({ field }: { field: string }) => field)).toEqual(fields)
  for (const { field, total, values } of data) {
    const { value, requests } = values[0]
    const typed = ['status', 'cause', 'rule', 'originStatus', 'node', 'asn'].includes(field) ? Number(value) : value
    expect([field, (await ask('histogram', { [field]: [typed] })).body.data.total]).toEqual([field, requests])
    const without = (await ask('histogram', { not: { [field]: [typed] } })).body.data
    expect([field, without.total]).toEqual([field, total - requests])
  }
})

test('a facet reports how many distinct values there are in all, and labels a node with its name', async () => {
  const { data } = (await ask('facets', { fields: ['hostPath', 'node'], top: 2 })).body
  expect(data[0]).toMatchObject({ total: 93, distinct: 5 })
  expect(data[0].values).toHaveLength(2)
  expect(data[1].values[0]).toMatchObject({ value: String(server.node.nodeId), label: 'edge-1' })
  const networks = (await ask('facets', { fields: ['asn'] })).body.data[0].values
  expect(networks.map(({ label }: { label: string }) => label)).toEqual(['0', 'AS4200000000'])
})

test('keyset pages neither repeat nor skip rows while new ones arrive', async () => {
  const seen: string[] = []
  let after: string | undefined
  let arrived = 0
  do {
    const { body } = await ask('rows', { text: '/p', limit: 7, after })
    seen.push(...idsOf(body.data.rows))
    after = body.data.next ?? undefined
    arrived += 1
    await server.uploadEvents([{ time: now - arrived / 10, requestId: `late-${arrived}`, path: '/p-late' }])
  } while (after)
  expect(seen).toHaveLength(90)
  expect(new Set(seen).size).toBe(90)
  expect(arrived).toBe(13)
})

test('only the owner of a row can open its link', async () => {
  const [found] = (await ask('rows', { reqID: 'mine-42' })).body.data.rows
  expect((await row(found.id)).body.data).toEqual(found)
  const missing = await row(`${now * 1000}-${server.mine.site}-nothing`)
  const foreign = await row(found.id, server.theirs.token)
  expect([missing.status, missing.body.code]).toEqual([403, 101018])
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
  for (const id of ['', 'x', '1-2', `${now}-1-a`, `${now * 1000}-99999999999-a`])
    expect((await row(id)).status).toBe(400)
})

test('another customer sees none of it', async () => {
  const theirs = server.theirs.token
  expect((await ask('histogram', {}, theirs)).body.data.total).toBe(1)
  expect(idsOf((await ask('rows', {}, theirs)).body.data.rows)).toEqual(['theirs-1'])
  const { data } = (await ask('facets', { fields: ['hostPath', 'rule'] }, theirs)).body
  expect(data.map(({ distinct }: { distinct: number }) => distinct)).toEqual([1, 1])
  expect((await ask('facets', { siteIDs: [server.mine.site], fields: ['ip'] }, theirs)).body.code).toBe(101018)
  expect((await ask('rows', { siteIDs: [server.mine.site] }, theirs)).body.code).toBe(101018)
  expect((await ask('histogram', { siteIDs: [server.mine.site] }, theirs)).body.code).toBe(101018)
})

test('a token of one site reads that site, in the log and in statistics', async () => {
  const rows = (await ask('rows', { limit: 500 }, scoped)).body.data.rows as (Row & { siteID: number })[]
  expect(new Set(rows.map(({ siteID }) => siteID))).toEqual(new Set([server.mine.site]))
  expect((await ask('facets', { fields: ['hostPath'], text: '/other' }, scoped)).body.data[0].total).toBe(0)
  expect((await ask('histogram', { text: '/other' }, scoped)).body.data.total).toBe(0)
  const { rows: others } = (await ask('rows', { siteIDs: [otherSite] })).body.data
  expect((await row(others[0].id, scoped)).body.code).toBe(101018)
  const call = (path: string, body: object) =>
    server.call('POST', `/user/${path}`, { as: scoped, body: { ...span, ...body } })
  expect((await call('logs/access', { siteIDs: [otherSite] })).body.code).toBe(101018)
  expect((await call('logs/access', { url: '/other' })).body.total).toBe(0)
  for (const siteIDs of [[otherSite], [server.mine.site, otherSite]])
    expect((await ask('histogram', { siteIDs }, scoped)).body.code).toBe(101018)
  expect(
    (await server.call('POST', '/user/logs/explain', { as: scoped, body: { reference: 'other-1' } })).body.code,
  ).toBe(101018)
  const top = { type: 19, top: 50, countType: 'reqCount' }
  const names = (await call('statistics/top', top)).body.data?.map(({ name }: { name: string }) => name)
  expect(names).toContain('www.example.com/p1')
  expect(names).not.toContain('www.example.com/other')
})

test('a query that costs too much is answered with advice', async () => {
  const { events } = server.services
  await expect(
    queryRows(
      events,
      'SELECT count() AS n FROM requests_raw_v1 WHERE path != {p:String}',
      { p: '' },
      { seconds: 5, rows: 10 },
    ),
  ).rejects.toMatchObject({ status: 503, extra: 'tooSlow', message: expect.stringContaining('shorter range') })
  await expect(
    queryRows(events, 'SELECT sum(cityHash64(number)) FROM numbers(1000000000000)', {}, { seconds: 1 }),
  ).rejects.toMatchObject({ status: 503, extra: 'tooSlow' })
})

test.each([
  ['time', { startTime: now, endTime: now - 1 }, 'endTime'],
  ['a status that no column holds', { status: [-1] }, 'status.0'],
  ['a rule that no column holds', { not: { rule: [2 ** 33] } }, 'not.rule.0'],
  ['a page that ends nowhere', { after: 'x' }, 'after'],
  ['too many rows', { limit: 501 }, 'limit'],
  ['an address that is none', { ip: ['nonsense'] }, 'ip'],
])('is rejected at the field: %s', async (_name, body, field) => {
  const { status, body: answer } = await ask('rows', body)
  expect([status, answer.extra?.[0]?.field]).toEqual([400, field])
})

test('a step is the smallest usual clock interval that gives at most 120 bars', () => {
  expect([60, 900, 3_600, 86_400, 7 * 86_400, 30 * 86_400].map(stepOf)).toEqual([1, 10, 60, 900, 7_200, 43_200])
})

test('the result is exported to a file, within the account’s limits and the caller’s sites', async () => {
  const { pool } = server.services.database
  const allow = (times: number) =>
    pool.query("update accounts set max_log_export_times = $1 where account = 'customer'", [times])
  await allow(2)
  const lines = async (body: object) =>
    String((await ask('export', body)).body)
      .trim()
      .split('\r\n')
  const [head, ...rows] = await lines({ action: ['block'] })
  expect(head).toMatch(/time,siteID,domainName,clientIP/)
  expect(rows).toHaveLength(9)
  expect(rows.every((line) => line.includes('denyRules'))).toBe(true)
  expect((await lines({})).slice(1).some((line) => line.includes('theirs-1'))).toBe(false)
  const refused = await ask('export')
  expect([refused.status, refused.body.code, refused.body.extra]).toEqual([429, 601002, 2])
  expect(refused.body.message).toBe('daily download limit reached (2 records)')
  await allow(10)
  // An export ends shortly after its last byte was read.
  const ended = () => pool.query('select from log_exports where ended_at is not null')
  await expect.poll(async () => (await ended()).rowCount).toBe(2)
  await pool.query('update log_exports set ended_at = null')
  await pool.query(
    'insert into log_exports (tenant_id, account_id) select tenant_id, account_id from log_exports limit 1',
  )
  expect((await ask('export')).body.code).toBe(601001)
  await pool.query("update log_exports set started_at = now() - interval '16 minutes'")
  expect((await ask('export')).status).toBe(200)
  const open = () =>
    pool.query("select from log_exports where ended_at is null and started_at > now() - interval '1 minute'")
  await expect.poll(async () => (await open()).rowCount).toBe(0)
})

test('WAF matches are listed, and counted by rule and by page and value, for one’s own sites only', async () => {
  const wafSpan = { startTime: now - 40_000, endTime: now - 30_000 }
  const guarded = (at: number, more: object) => ({
    ...{ time: now - 35_000 + at, requestId: `waf-${at}`, path: '/search', guard: 'waf', rule: 942100, wafScore: 5 },
    ...{ action: 'block', cause: 904, status: 403, waf: '942100:5:ARGS:q', address: `192.0.2.${at}`, ...more },
  })
  await server.uploadEvents([
    guarded(1, {}),
    guarded(2, { weight: 3 }),
    guarded(3, { waf: '942100:5:ARGS:q 941100:5:ARGS:a:b', wafScore: 10 }),
    guarded(4, { waf: '941100:5:REQUEST_COOKIES:c', action: 'observe', rule: 941100, status: 200, path: '/form' }),
    guarded(5, { waf: '920420:2:TX:x budget:body', guard: '', rule: 0, action: 'pass', status: 200, path: '/form' }),
    guarded(6, { site: server.theirs.site }),
    { time: now - 35_000, requestId: 'waf-none', path: '/search' },
  ])
  const call = (path: string, body: object, as = server.mine.token) =>
    server.call('POST', `/user/${path}`, { as, body: { ...wafSpan, ...body } })
  const log = (await call('logs/waf', { pageSize: 3 })).body
  expect([log.total, log.isCapped]).toEqual([5, false])
  expect(log.data.map(({ reqID, ruleID }: { reqID: string; ruleID: number }) => [reqID, ruleID])).toEqual([
    ...[
      ['waf-5', 920420],
      ['waf-4', 941100],
      ['waf-3', 942100],
    ],
  ])
  expect((await call('logs/waf', { wafRule: [941100] })).body.total).toBe(2)
  expect((await call('logs/waf', { not: { wafRule: [942100] } })).body.total).toBe(2)

  const { data } = (await call('statistics/waf', {})).body
  expect([data.matched, data.blocked]).toEqual([7, 5])
  const rule = { name: 'SQL Injection Attack Detected via libinjection', requests: 5, blocked: 5, addresses: 3 }
  expect(data.rules[0]).toEqual({ ruleID: 942100, ...rule })
  expect(data.rules.map(({ ruleID }: { ruleID: number }) => ruleID)).toEqual([942100, 941100, 920420])
  const place = { siteID: server.mine.site, path: '/search', target: 'ARGS:q' }
  expect(data.matches[0]).toMatchObject({ ruleID: 942100, ...place, requests: 5, blocked: 5, addresses: 3 })
  expect(data.matches.find(({ target }: { target: string }) => target === 'ARGS:a:b')).toMatchObject({ requests: 1 })
  const newest = (await row(data.matches[0].row)).body.data
  expect(newest).toMatchObject({ reqID: 'waf-3', waf: '942100:5:ARGS:q 941100:5:ARGS:a:b' })
  const narrowed = (await call('statistics/waf', { filter: { hostPath: [], action: ['observe'] }, top: 1 })).body.data
  expect([narrowed.matched, narrowed.rules.length]).toEqual([1, 1])
  expect((await call('statistics/waf', { siteIDs: [server.theirs.site] })).body.code).toBe(101018)
  expect((await call('logs/waf', { siteIDs: [server.theirs.site] })).body.code).toBe(101018)
})

test('verdicts of a shadow rule set on live requests are compared with the actual ones, for operators', async () => {
  const { pool } = server.services.database
  const zoneId = server.node.zoneId
  const { rows: made } = await pool.query(
    `insert into waf_rule_sets (operator_id, name, file_name, hash, part, texts, actor)
    select operator_id, 'Own', 'own.zip', decode(repeat('ab', 32), 'hex'), '', '[{"id":700001,"name":"A word","level":1}]', 'o'
    from zones where id = $1 returning id, operator_id as operator`,
    [zoneId],
  )
  const path = `/client/zone/${zoneId}/wafShadow`
  const outcome = async () => (await server.call('GET', path, { as: server.operator })).body.data
  const counts = { requests: 0, refused: 0, refusedInShadow: 0, onlyNow: 0, onlyInShadow: 0 }
  const none = { node: null, ...counts, rules: [], examples: [] }
  expect(await outcome()).toEqual(none)
  await pool.query(
    `insert into settings (tenant_id, owner, owner_id, name, value) values ($1, 'zone', $2, 'wafShadow', $3)`,
    [made[0].operator, zoneId, { ruleSetId: made[0].id, percent: 1 }],
  )
  expect(await outcome()).toEqual(none)
  const noHits = { before: 0, now: 0 }
  const asked = (id: string, wafShadow: string, more: object = {}) => ({
    ...{ time: now - 60, requestId: `shadow-${id}`, path: '/shadow', address: '192.0.2.77', wafShadow, ...more },
  })
  await server.uploadEvents([
    asked('same', 'abababab pass pass 0 '),
    asked('both', 'abababab refuse refuse 5 700001:5:ARGS:q', { weight: 3 }),
    asked('new', 'abababab pass refuse 10 700001:5:ARGS:q 700001:5:ARGS:z 700002:2:TX:x', { query: 'q=a', weight: 2 }),
    asked('old', 'abababab refuse pass 0 ', { site: server.theirs.site }),
    asked('cut', 'abababab pass refuse 0 budget:time'),
    asked('before', 'cdcdcdcd pass refuse 5 700009:5:ARGS:q'),
    asked('late', 'abababab pass refuse 5 700001:5:ARGS:q', { time: now - 90_000 }),
    asked('elsewhere', ''),
  ])
  const { rules, examples, ...whole } = await outcome()
  expect(whole).toEqual({ node: null, requests: 8, refused: 4, refusedInShadow: 6, onlyNow: 1, onlyInShadow: 3 })
  expect(rules).toEqual([
    { ruleID: 700_001, name: 'A word', requests: 5, onlyInShadow: 2, people: 0 },
    { ruleID: 700_002, name: '', requests: 2, onlyInShadow: 2, people: 0 },
  ])
  expect(examples).toHaveLength(3)
  const found = examples.find(({ url }: { url: string }) => url === '/shadow?q=a')
  expect(found).toMatchObject({ siteID: server.mine.site, isRefusedNow: false, rules: [700_001, 700_002] })
  expect((await row(found.row)).body.data.reqID).toBe('shadow-new')
  expect((await server.call('GET', '/client/zone/999999/wafShadow', { as: server.operator })).status).toBe(403)

  // The zone adopts the rule set: rules that match live requests more often than before, and new rules that match
  // people, only observe.
  const texts = [700_001, 700_002, 942_100].map((id) => ({ id, name: `Rule ${id}`, level: 1 }))
  await pool.query('update waf_rule_sets set texts = $2, trial = $3, hits = $4 where id = $1', [
    ...[made[0].id, JSON.stringify(texts), { benign: 348 }, { own: {}, default: {} }],
  ])
  const person = { address: '192.0.2.78', guard: 'waf', action: 'observe', originStatus: 200 }
  await server.uploadEvents([
    asked('person', 'abababab pass refuse 5 700001:5:ARGS:q', person),
    asked('often', 'abababab pass refuse 5 942100:5:ARGS:q', { weight: 4 }),
    asked('as-before', 'abababab refuse refuse 5 942100:5:ARGS:q', { waf: '942100:5:ARGS:q 941100:5:ARGS:q' }),
  ])
  const setting = `/client/zone/${zoneId}/setting/wafRuleSet`
  const set = await server.call('PUT', setting, { as: server.operator, body: { ruleSetId: made[0].id } })
  expect([set.status, set.body]).toEqual([200, set.body])
  const observed = await server.call('GET', `/client/zone/${zoneId}/wafObserved`, { as: server.operator })
  expect(observed.body.data).toEqual({
    ...{ ruleSetId: made[0].id, benign: 348, live: 14 },
    rules: [
      { ruleID: 700_001, name: 'Rule 700001', isNew: true, live: { before: 0, now: 6, people: 1 }, benign: noHits },
      { ruleID: 942_100, name: 'Rule 942100', isNew: false, live: { before: 1, now: 5, people: 0 }, benign: noHits },
    ],
  })
  expect((await server.call('DELETE', setting, { as: server.operator })).status).toBe(200)
})

test('a change of a WAF module is tried on logged requests: who would pass, people or attackers', async () => {
  const at = now - 3000
  const request = (id: string, more: object) => ({
    ...{ time: at, requestId: `try-${id}`, domain: 'tried.example.com', method: 'POST', path: '/comment' },
    ...{ guard: 'waf', rule: 941100, wafScore: 5, action: 'observe', status: 200, originStatus: 200 },
    ...{ waf: '941100:5:ARGS:text', address: '192.0.2.21', ...more },
  })
  await server.uploadEvents([
    request('person', {}),
    request('twice', { weight: 2 }),
    request('scanner', { address: '192.0.2.66' }),
    request('scanner-name', { address: '192.0.2.66', path: '/', waf: '913100:5:REQUEST_HEADERS:User-Agent' }),
    request('other', { waf: '941100:5:ARGS:text 942100:5:ARGS:id', wafScore: 10 }),
    request('title', { waf: '941100:5:ARGS:title' }),
    request('long', { waf: 'budget:body', wafScore: 0 }),
    request('elsewhere', { path: '/login' }),
    request('theirs', { site: server.theirs.site }),
    request('other-domain', { domain: 'other.example.com' }),
  ])
  const of = `/user/site/${server.mine.site}`
  const must = async (method: string, path: string, body?: object) => {
    const reply = await server.call(method, path, { as: server.mine.token, body })
    expect([path, reply.status, reply.body]).toEqual([path, 200, reply.body])
    return reply.body.data
  }
  const upstreams = [{ ip: '127.0.0.1', port: 80 }]
  await must('POST', `${of}/domains`, { domains: [{ name: 'tried.example.com', upstreams }] })
  const domain = (await must('GET', `${of}/domains`)).find(({ name }: { name: string }) => name === 'tried.example.com')
  const [module] = (await must('POST', `${of}/module/wafs`, { modules: [{ name: 'tried' }] })).ids
  await must('PUT', `${of}/domains/module/waf`, { domainIDs: [domain.id], moduleID: module })
  const place = `${of}/module/waf/${module}`
  const rule = { ruleID: 941100, name: 'editor', urlRegex: '^/comment$', methodValues: ['POST'], target: 'arg:text' }
  const tried = await must('POST', `${place}/simulation`, { rules: [rule] })
  expect(tried).toMatchObject({
    ...{ rows: 8, isPartial: false, matched: 9, refused: 9, touched: 5, passing: 4, refusedThen: 0 },
    ...{ addresses: 2, people: 3, attacks: 1, unsure: 0 },
  })
  expect(tried.examples[0]).toMatchObject({ address: '192.0.2.66', isAttack: true, score: { before: 5, after: 0 } })
  const higher = await must('POST', `${place}/simulation`, { threshold: 6 })
  expect([higher.passing, higher.touched]).toEqual([7, 0])

  const { data } = await server
    .call('POST', '/user/statistics/waf', {
      as: server.mine.token,
      body: { startTime: at - 1, endTime: at + 1, top: 50 },
    })
    .then(({ body }) => body)
  const text = data.matches.find(
    (one: { path: string; target: string; domainName: string }) =>
      [one.path, one.target, one.domainName].join() === '/comment,ARGS:text,tried.example.com',
  )
  expect(text).toMatchObject({ requests: 5, addresses: 2, people: 1, attackers: 1 })

  const items = [{ ...rule, memo: 'our editors', expiresAt: '2040-01-01T00:00:00Z' }]
  const rowOf = (id: string, site = server.mine.site) => `${Math.round(at * 1000)}-${site}-try-${id}`
  const exclude = (row: string, more: object = {}) =>
    server.call('POST', `${place}/exclusions`, { as: server.mine.token, body: { row, items, ...more } })
  for (const id of ['other', 'title', 'long']) {
    const { status, body } = await exclude(rowOf(id))
    expect([id, status, body.extra]).toEqual([id, 400, [{ field: 'items', reason: 'stillRefused' }]])
  }
  expect((await exclude(rowOf('theirs', server.theirs.site))).body.code).toBe(101018)
  expect((await exclude(rowOf('gone'))).body.code).toBe(101018)
  expect((await exclude(rowOf('person'), { items: [rule] })).body.extra[0].field).toBe('items.0.expiresAt')
  const saved = (await exclude(rowOf('person'))).body.data
  expect(saved.provedBy).toBe('log')
  expect((await must('GET', `${place}/rules`)).map(({ id }: { id: number }) => id)).toEqual(saved.ids)
  expect((await must('POST', `${place}/simulation`, {})).refused).toBe(5)
})

test('nodes are told that somebody reads rows or the hits of rules, but not page by page', async () => {
  const { env, logger } = server.services
  const told: string[] = []
  const channels = { [rowsWantedChannel]: (groups: string) => told.push(groups) }
  const notices = await openNotices(env.databaseUrl, { channels, restored() {} }, logger)
  try {
    const group = String(server.node.groupId)
    // A group is told once a second at most: other tests read as well.
    const isTold = (call: () => Promise<{ status: number }>) =>
      vi.waitFor(async () => {
        told.length = 0
        expect((await call()).status).toBe(200)
        expect(told).toContain(group)
      }, 10_000)
    await isTold(() => ask('rows', { limit: 10 }))
    const [{ id }] = (await ask('rows', { limit: 1 })).body.data.rows
    const body = { siteID: server.mine.site, ruleIDs: [41] }
    await isTold(() => server.call('POST', '/user/logs/explorer/ruleHours', { as: server.mine.token, body }))
    told.length = 0
    for (const end = Date.now() + 1200; Date.now() < end; ) await ask('rows', { limit: 1, after: id })
    expect(told).toEqual([])
  } finally {
    await notices.close()
  }
})
