/** The statistics as calls: envelopes, refusals, and whose numbers they are. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LogServer, startLogServer } from '../logs/testing/log-server.ts'

let server: LogServer
const now = Math.floor(Date.now() / 1000)
const span = { startTime: now - 3_600, endTime: now }

beforeAll(async () => {
  server = await startLogServer()
  await server.ship([
    { time: now - 1_000, weight: 10 },
    { time: now - 1_000, action: 'block', cause: 903, status: 403, guard: 'denyRules', address: '198.51.100.7' },
    { time: now - 1_000, site: server.theirs.site, weight: 1_000, country: 'DE' },
  ])
})
afterAll(() => server.stop())

const ask = (name: string, body: object, as = server.mine.token, tier = 'user') =>
  server.call('POST', `/${tier}/statistics/${name}`, { as, body: { ...span, ...body } })

test('cards come under their types', async () => {
  const { body } = await ask('info', { type: [3, 4, 5, 14, 15] })
  expect(body.data['3']).toMatchObject({ requests: 11, pass: 10, drop: 1, traffic: 11_000 })
  expect(body.data['4']).toEqual({ addresses: 2, refused: 1 })
  expect(body.data['5']).toMatchObject({ 200: 10, 903: 1, 403: 0 })
  expect(body.data['14']).toEqual({ requests: 1, traffic: 1_000 })
  expect(body.data['15']).toMatchObject({ requests: 1, denyList: 1 })
})

test('a series has a point for every step', async () => {
  const { body } = await ask('timeSeries', { type: 2 })
  expect(body).toMatchObject({ total: 12, minutesStep: 5 })
  expect(body.data).toHaveLength(12)
  expect(body.data.filter((point: { value: { pass: number } }) => point.value.pass > 0)).toHaveLength(1)
})

test('a top list names and counts', async () => {
  expect((await ask('top', { type: 11 })).body).toEqual({ data: [{ name: 'TW', value: 11 }], total: 1 })
  expect((await ask('top', { type: 25 })).body.data).toEqual([{ name: '198.51.100.7', value: 1 }])
  expect((await ask('top', { type: 12 })).body).toEqual({ data: [], total: 0 })
})

test('a filter includes and excludes', async () => {
  const count = async (filter: object) => (await ask('info', { type: 3, filter })).body.data['3'].requests
  expect(await count({ country: ['TW'] })).toBe(11)
  expect(await count({ country: ['DE'] })).toBe(0)
  expect(await count({ not: { ip: ['198.51.100.7'] } })).toBe(10)
  expect(await count({ status: [903] })).toBe(1)
  const { status, body } = await ask('info', { type: 3, filter: { ip: ['nonsense'] } })
  expect([status, body.extra]).toEqual([400, [{ field: 'ip', reason: 'wrongFormat' }]])
  expect((await ask('top', { type: 11, filter: { reqID: 'x' } })).status).toBe(400)
})

test('the period before is asked by its own times', async () => {
  const before = { startTime: now - 7_200, endTime: now - 3_600 }
  expect((await ask('info', { type: 3, ...before })).body.data['3'].requests).toBe(0)
})

test('the domains by rank are named with their sites', async () => {
  const { body } = await ask('list', {})
  expect(body).toMatchObject({ total: 1 })
  expect(body.data[0]).toMatchObject({
    domainName: 'www.example.com',
    siteID: server.mine.site,
    siteName: 'my site',
    reqCount: 11,
    traffic: 11_000,
    upstreamCount: 11,
  })
})

async function file(body: object, headers: Record<string, string> = {}) {
  const answer = await server.call('POST', '/user/statistics/list/export', {
    as: server.mine.token,
    body: { ...span, ...body },
    headers,
  })
  const text = typeof answer.body === 'string' ? answer.body : ''
  return {
    ...answer,
    text,
    lines: text
      .replace(/^\uFEFF/, '')
      .trimEnd()
      .split('\r\n'),
  }
}

test('what is shown comes as CSV with the same numbers, its head in the language asked for', async () => {
  const ranks = await file({ of: 'list' }, { 'accept-language': 'en-US,en;q=0.9' })
  expect(ranks.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(ranks.headers['content-disposition']).toBe('attachment; filename="statistics-list-1.csv"')
  expect(ranks.text.startsWith('\uFEFF')).toBe(true)
  expect(ranks.lines).toEqual([
    'Domain,Site,Requests,Traffic (bytes),Cache hits,Mean bandwidth (bps),Requests to origins',
    expect.stringMatching(/^www\.example\.com,my site,11,11000,0,[\d.]+,11$/),
  ])
  const series = await file({ of: 'timeSeries', type: 2 }, { 'accept-language': 'zh-CN' })
  expect(series.lines[0]).toBe('时间,放行,拦截')
  const points = (await ask('timeSeries', { type: 2 })).body.data as { value: { pass: number; drop: number } }[]
  expect(series.lines.slice(1).map((line) => line.split(',').slice(1).map(Number))).toEqual(
    points.map(({ value }) => [value.pass, value.drop]),
  )
  expect((await file({ of: 'top', type: 11 })).lines).toEqual(['名稱,請求數', 'TW,11'])
})

test('a name that a spreadsheet would run is told to be text', async () => {
  await server.ship([{ time: now - 900, userAgent: '=HYPERLINK("http://evil.example","x")', weight: 2 }])
  const { lines } = await file({ of: 'top', type: 20 })
  expect(lines).toContain('"\'=HYPERLINK(""http://evil.example"",""x"")",2')
})

test('an export of another’s site, or of a type that is none, is refused', async () => {
  const theirs = await file({ siteIDs: [server.theirs.site] })
  expect([theirs.status, theirs.body.code]).toEqual([403, 101018])
  const wrong = await file({ of: 'top', type: 2 })
  expect([wrong.status, wrong.body.extra]).toEqual([400, [{ field: 'type', reason: 'wrongFormat' }]])
})

test('another’s site is refused, its numbers are in none of one’s own', async () => {
  for (const [name, type] of [
    ['info', 3],
    ['timeSeries', 2],
    ['top', 11],
    ['list', 1],
  ] as const) {
    for (const scope of [{ siteIDs: [server.theirs.site] }, { siteIDs: [999_999] }, { domainIDs: [999_999] }]) {
      const { status, body } = await ask(name, { type, ...scope })
      expect([status, body.code]).toEqual([403, 101018])
    }
  }
  const operator = await ask('info', { type: 3 }, server.operator, 'client')
  expect(operator.body.data['3'].requests).toBe(1_013)
})

test('what cannot be asked is refused at its field', async () => {
  expect((await ask('timeSeries', { type: 14 })).status).toBe(400)
  expect((await ask('top', { type: 11, countType: 'bits' })).body.extra).toEqual([
    { field: 'countType', reason: 'wrongFormat' },
  ])
  expect((await ask('info', { type: 3, startTime: now, endTime: now })).body.extra).toEqual([
    { field: 'endTime', reason: 'wrongFormat' },
  ])
  expect((await ask('timeSeries', { type: 2, minutesStep: 7 })).status).toBe(400)
})
