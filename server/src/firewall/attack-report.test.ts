/** Attack reports as data and as a file, requested from the API over rows that a node uploaded. */
import { execFileSync } from 'node:child_process'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSystem } from '../db/database.ts'
import { type LogServer, startLogServer } from '../logs/testing/log-server.ts'

let server: LogServer
let mine: number
/** The same attack as seen by another node. */
let same: number
let theirs: number
const began = Math.floor(Date.now() / 1000) - 7200

beforeAll(async () => {
  server = await startLogServer()
  const hit = (at: number, more: object) => ({
    ...{ time: began + at, requestId: `attack-${at}`, path: '/login', address: '192.0.2.90', country: 'NL' },
    ...{ guard: 'siteMode', action: 'challenge', cause: 978, status: 503, originStatus: 0, weight: 10, ...more },
  })
  await server.uploadEvents([
    hit(1, {}),
    hit(2, { address: '192.0.2.91', guard: 'rateRules', action: 'block', status: 429, weight: 5 }),
    hit(3, { guard: '', action: 'pass', status: 502, originStatus: 502, weight: 2 }),
    hit(-30, { guard: '', action: 'pass', status: 200, originStatus: 200, weight: 1 }),
    hit(4, { site: server.theirs.site }),
  ])
  mine = await noteAttack(server.mine.site, 0, 60)
  same = await noteAttack(server.mine.site, 20, 90)
  theirs = await noteAttack(server.theirs.site, 0, 60)
})
afterAll(() => server.stop())

/** An attack as a node reports it, from and to this many seconds after it began. */
const noteAttack = (site: number, from: number, to: number): Promise<number> =>
  withSystem(server.services.database.db, async (tx) => {
    const at = (seconds: number) => new Date((began + seconds) * 1000)
    const { tenantId } = await tx
      .selectFrom('sites')
      .select('tenantId')
      .where('id', '=', site)
      .executeTakeFirstOrThrow()
    const seen = { nodeId: server.node.nodeId, node: 'edge-1', reason: 'requests' as const, rate: 120, threshold: 50 }
    const row = { ...seen, siteId: site, tenantId, beganAt: at(from), endedAt: at(to) }
    const insert = tx.insertInto('siteAttacks').values(row as never)
    return (await insert.returning('id').executeTakeFirstOrThrow()).id
  })

const get = (path: string, as = server.mine.token) =>
  server.call('GET', `/${as === server.operator ? 'client' : 'user'}/${path}`, { as })

test('an attack report says what came, from where, and what was done, to those who can see its site', async () => {
  const listed = (await get('attacks')).body
  expect([listed.total, listed.data[0]]).toMatchObject([
    1,
    { siteID: server.mine.site, siteName: 'my site', rate: 120 },
  ])
  expect((await get('attacks', server.operator)).body.total).toBe(2)
  const report = (await get(`attacks/report?attack=${same}`)).body.data
  expect(report).toMatchObject({
    ...{ id: mine, isWhole: true, requests: 17, refused: 5, challenged: 10, toOrigin: 2, failures: 2, peak: 10 },
    guards: [
      { guard: 'siteMode', action: 'challenge', requests: 10 },
      { guard: 'rateRules', action: 'block', requests: 5 },
    ],
    countries: { distinct: 1, rows: [{ name: 'NL', requests: 15 }] },
    addresses: {
      distinct: 2,
      rows: [
        { name: '192.0.2.90', requests: 10 },
        { name: '192.0.2.91', requests: 5 },
      ],
    },
  })
  expect(Date.parse(report.endedAt) - Date.parse(report.beganAt)).toBe(90_000)
  expect(report.series.reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0)).toBe(18)
  expect((await get(`attacks/report?attack=${theirs}`)).body.code).toBe(101018)
  expect((await get(`attacks/report?attack=${theirs}`, server.operator)).body.data.requests).toBe(10)
})

async function pdf(query: string, { as = server.mine.token, headers = {} }: { as?: TokenSet; headers?: object } = {}) {
  const tier = as === server.operator ? 'client' : 'user'
  const reply = await server.app.inject({
    url: `/api/v1/${tier}/attacks/report/pdf?${query}`,
    headers: { authorization: `Bearer ${as.accessToken}`, ...headers },
  })
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(reply.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  return reply
}

/** The selectable text, without spaces: viewers differ in how they join the parts of a line. */
const textOf = (file: Buffer): string =>
  execFileSync('pdftotext', ['-raw', '-', '-'], { input: file, encoding: 'utf8' }).replace(/\s+/g, '')
const factsOf = (file: Buffer): string => execFileSync('pdfinfo', ['-'], { input: file, encoding: 'utf8' })

describe('the PDF of a report', () => {
  test.each([
    ['en_US', ['Attackreport', 'Attackonmysite', 'Whole-siteprotectionchallenged10requests', 'Netherlands', '88.2%']],
    ['zh_TW', ['攻擊報告', 'mysite於', '整站防護要求驗證10次', '速率規則攔截5個請求', '荷蘭']],
    ['zh_CN', ['攻击报告', 'mysite于', '整站防护要求验证10次', '速率规则拦截5个请求', '荷兰']],
  ])('contains in %s what the page shows', async (locale, said) => {
    const { rawPayload, headers } = await pdf(`attack=${same}&locale=${locale}&timeZone=Asia/Taipei`)
    expect(headers['content-disposition']).toBe(`attachment; filename="attack-${mine}.pdf"`)
    const text = textOf(rawPayload)
    for (const words of [...said, 'Breakwater', '192.0.2.90', '/login', 'Asia/Taipei', '1/1'])
      expect(text).toContain(words)
  })

  test('uses the language of the request and UTC by default', async () => {
    const { rawPayload } = await pdf(`attack=${mine}`, { headers: { 'accept-language': 'zh-CN,en;q=0.5' } })
    expect(textOf(rawPayload)).toContain('攻击报告')
    const clock = new Intl.DateTimeFormat('zh-CN', { timeStyle: 'medium', hourCycle: 'h23', timeZone: 'UTC' })
    expect(textOf(rawPayload)).toContain(clock.format(began * 1000))
    expect(textOf((await pdf(`attack=${mine}`)).rawPayload)).toContain('Actionstaken')
  })

  test('has the name of the operator’s brand, and its title, author and language as metadata', async () => {
    await withSystem(server.services.database.db, async (tx) => {
      const { id } = await tx
        .selectFrom('tenants')
        .select('id')
        .where('kind', '=', 'operator')
        .executeTakeFirstOrThrow()
      const texts = { title: '北光 CDN', subTitle: '', description: '', copyright: '', version: '' }
      const row = { tenantId: id, tiers: ['user'], hosts: [], texts: JSON.stringify(texts), accent: '#8b0357' }
      await tx
        .insertInto('brands')
        .values({ ...row, images: '{}' } as never)
        .execute()
    })
    const { rawPayload } = await pdf(`attack=${mine}&locale=zh_TW`)
    expect(textOf(rawPayload)).toContain('北光CDN，統計至')
    expect(factsOf(rawPayload)).toMatch(/Title: +my site 於 .*\nAuthor: +北光 CDN\n/)
    expect(rawPayload.toString('latin1')).toContain('/Lang (zh-TW)')
    expect(textOf((await pdf(`attack=${theirs}`, { as: server.operator })).rawPayload)).toContain('Breakwater.Counted')
  })

  test('accepts any text: characters without a glyph become boxes, and long text is cut', async () => {
    const site = await server.makeSite(server.mine.token, '😀 奇怪 مرحبا shop')
    const odd = (at: number, path: string, more: object = {}) => ({
      ...{ site, time: began + at, requestId: `odd-${at}`, path, guard: 'a guard of tomorrow', action: 'block' },
      ...{ status: 403, address: '2001:db8:1234:5678:9abc:def0:1234:5678', country: 'ZZ', ...more },
    })
    await server.uploadEvents([
      odd(1, `/${'很長的路徑'.repeat(399)}/end`),
      odd(2, '/👨‍👩‍👧‍👦/🇹🇼', { userAgent: '' }),
      odd(3, '/שלום/\u202Efdp.exe', { userAgent: `Mozilla/5.0 ${'x'.repeat(1500)} last-word` }),
      odd(4, '/\u0007/\u0000/\uFFFE/e\u0301\u0323\u0301', { userAgent: '\\(%s)' }),
      odd(5, '/ひらがな/Ω/Ж/ẞ/龘/㐀/한국어/'),
    ])
    const { rawPayload } = await pdf(`attack=${await noteAttack(site, 0, 60)}&locale=zh_TW`)
    const text = textOf(rawPayload)
    for (const said of ['□奇怪□□□□□shop於', '/很長的路徑', '/□/□', 'aguardoftomorrow攔截5個請求', 'ひらがな/Ω/Ж/'])
      expect(text).toContain(said)
    expect(text).toContain('…')
    expect(text).not.toMatch(/\/end|last-word/)
  })

  test.each([
    ['attack=theirs', { code: 101018 }],
    ['attack=2147483647', { code: 101018 }],
    ['attack=mine&timeZone=Mars/Olympus', { code: 101003, extra: [{ field: 'timeZone', reason: 'wrongFormat' }] }],
    ['attack=mine&locale=fr_FR', { code: 101003, extra: [{ field: 'locale', reason: 'wrongFormat' }] }],
    ['locale=en_US', { code: 101003, extra: [{ field: 'attack', reason: 'wrongFormat' }] }],
  ])('is refused for %s', async (query, refusal) => {
    const { status, body } = await get(
      `attacks/report/pdf?${query.replace('theirs', String(theirs)).replace('mine', String(mine))}`,
    )
    expect(status).not.toBe(200)
    expect(body).toMatchObject(refusal)
  })
})
