/** The statistics through the API: envelopes, rejections, and data isolation. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type LogServer, startLogServer } from '../logs/testing/log-server.ts'

let server: LogServer
// The start of a step: this file avoids the step that is still filling, except where noted.
const now = Math.floor(Date.now() / 300_000) * 300
const span = { startTime: now - 3_600, endTime: now }

beforeAll(async () => {
  server = await startLogServer()
  await server.uploadEvents([
    { time: now - 1_000, weight: 10 },
    { time: now - 1_000, action: 'block', cause: 903, status: 403, guard: 'denyRules', address: '198.51.100.7' },
    { time: now - 1_000, site: server.theirs.site, weight: 1_000, country: 'DE' },
  ])
})
afterAll(() => server.stop())

const ask = (name: string, body: object, as = server.mine.token, tier = 'user') =>
  server.call('POST', `/${tier}/statistics/${name}`, { as, body: { ...span, ...body } })

test('cards are listed by type', async () => {
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

test('a top list has names and counts', async () => {
  expect((await ask('top', { type: 11 })).body).toEqual({
    data: [{ name: 'TW', value: 11 }],
    total: 1,
    until: expect.any(Number),
  })
  expect((await ask('top', { type: 25 })).body.data).toEqual([{ name: '198.51.100.7', value: 1 }])
  expect((await ask('top', { type: 12 })).body).toEqual({ data: [], total: 0, until: expect.any(Number) })
})

test('cards, series and lists report how complete they are: up to the slowest node that serves the site', async () => {
  const { pool } = server.services.database
  const report = (rowsAgo: number, countersAgo: number) =>
    pool.query(
      `update nodes set last_seen_at = now(), health = jsonb_build_object(
         'eventsUntil', extract(epoch from now()) - $1::int, 'countersUntil', extract(epoch from now()) - $2::int) where id = $3`,
      [rowsAgo, countersAgo, server.node.nodeId],
    )
  const behind = async (name: string, type: number) => {
    const { status, body } = await ask(name, { type, startTime: Date.now() / 1000 - 900, endTime: Date.now() / 1000 })
    expect([status, Number.isInteger(body.until)], name).toEqual([200, true])
    return Date.now() / 1000 - body.until
  }
  const isBehind = (name: string, type: number, least: number) =>
    vi.waitUntil(
      async () => {
        const seconds = await behind(name, type)
        // Lists cover whole steps of five minutes.
        return seconds >= least && seconds < least + 400
      },
      { interval: 300 },
    )
  await report(700, 4)
  // Counters are uploaded further than rows.
  await isBehind('info', 3, 4)
  await isBehind('timeSeries', 2, 4)
  await isBehind('top', 11, 700)
  await isBehind('list', 1, 700)
  await isBehind('timeSeries', 13, 700)
  const { until, untils } = (await ask('info', { type: [3, 4, 101], endTime: Date.now() / 1000 })).body
  expect([until, untils['4']]).toEqual([until, until])
  expect(untils['3'] - until).toBeGreaterThan(600)
  // The slower of the two counts.
  await report(4, 800)
  await isBehind('info', 3, 800)
  await isBehind('top', 11, 4)
  // A node that does not report how far its counters reach is assumed to upload a minute once it is over.
  await pool.query(`update nodes set health = health - 'countersUntil' where id = $1`, [server.node.nodeId])
  await isBehind('info', 3, 130)
  await pool.query('update nodes set last_seen_at = null where id = $1', [server.node.nodeId])
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

test('the previous period is requested by its own times', async () => {
  const before = { startTime: now - 7_200, endTime: now - 3_600 }
  expect((await ask('info', { type: 3, ...before })).body.data['3'].requests).toBe(0)
})

test('the ranked domains are listed with their sites', async () => {
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

test('an export has the shown numbers as CSV, with its header in the requested language', async () => {
  const ranks = await file({ of: 'list' }, { 'accept-language': 'en-US,en;q=0.9' })
  expect(ranks.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(ranks.headers['content-disposition']).toBe('attachment; filename="statistics-list-1.csv"')
  expect(ranks.text.startsWith('\uFEFF')).toBe(true)
  expect(ranks.lines).toEqual([
    'Domain,Site,Requests,Traffic (bytes),Cache hits,Mean bandwidth (bps),Origin requests',
    expect.stringMatching(/^www\.example\.com,my site,11,11000,0,[\d.]+,11$/),
  ])
  const series = await file({ of: 'timeSeries', type: 2 }, { 'accept-language': 'zh-CN' })
  expect(series.lines[0]).toBe('时间,放行,拦截,数据完整（1 是，0 否）')
  const points = (await ask('timeSeries', { type: 2 })).body.data as { value: { pass: number; drop: number } }[]
  expect(series.lines.slice(1).map((line) => line.split(',').slice(1, 3).map(Number))).toEqual(
    points.map(({ value }) => [value.pass, value.drop]),
  )
  expect((await file({ of: 'top', type: 11 })).lines).toEqual(['名稱,請求數', 'TW,11'])
})

test('a name that a spreadsheet would run as a formula is escaped as text', async () => {
  await server.uploadEvents([{ time: now - 900, userAgent: '=HYPERLINK("http://evil.example","x")', weight: 2 }])
  const { lines } = await file({ of: 'top', type: 20 })
  expect(lines).toContain('"\'=HYPERLINK(""http://evil.example"",""x"")",2')
})

test('an export of another customer’s site, or of an unknown type, is rejected', async () => {
  const theirs = await file({ siteIDs: [server.theirs.site] })
  expect([theirs.status, theirs.body.code]).toEqual([403, 101018])
  const wrong = await file({ of: 'top', type: 2 })
  expect([wrong.status, wrong.body.extra]).toEqual([400, [{ field: 'type', reason: 'wrongFormat' }]])
})

test('another customer’s site is rejected, and its numbers are in none of one’s own', async () => {
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

test('an invalid query is rejected at its field', async () => {
  expect((await ask('timeSeries', { type: 14 })).status).toBe(400)
  expect((await ask('top', { type: 11, countType: 'bits' })).body.extra).toEqual([
    { field: 'countType', reason: 'wrongFormat' },
  ])
  expect((await ask('info', { type: 3, startTime: now, endTime: now })).body.extra).toEqual([
    { field: 'endTime', reason: 'wrongFormat' },
  ])
  expect((await ask('timeSeries', { type: 2, minutesStep: 7 })).status).toBe(400)
})

test('a card counts the last moments, over a range of exactly the requested length', async () => {
  const moment = Math.floor(Date.now() / 1000)
  const { site } = server.mine
  await server.uploadEvents([
    { site, time: moment - 2, path: '/now' },
    { site, time: moment - 3_700, path: '/before' },
  ])
  const { body } = await ask('info', { type: [3, 4], startTime: moment - 60, endTime: moment + 1 })
  expect(body.data['3'].requests).toBe(1)
})

test('with sampled rows, numbers from counters are exact, in cards, series and by status; others are not', async () => {
  const site = await server.makeSite(server.mine.token, 'sampled')
  const time = now - 1_800
  const scope = { siteIDs: [site] }
  // One row in ten was kept of 95 requests, and by chance twelve.
  await server.uploadEvents(
    Array.from({ length: 12 }, () => ({ site, time, weight: 10 })),
    { rows: true },
  )
  const line = { site, minute: time - (time % 60), cache: 'MISS' }
  await server.uploadCounters([
    { ...line, requests: 80, bytesSent: 800, originRequests: 80 },
    { ...line, requests: 15, bytesSent: 30, status: 403, cause: 903, cache: '', action: 'block' },
  ])
  const { data } = (await ask('info', { type: [3, 4, 5, 14, 15], ...scope })).body
  expect(data['3']).toEqual({
    requests: 95,
    pass: 80,
    drop: 15,
    traffic: 830,
    received: 200,
    hits: 0,
    originRequests: 80,
  })
  expect(data['4']).toEqual({ addresses: 1, refused: 0 })
  expect([data['5']['200'], data['5']['903'], data['14'].requests, data['15'].denyList]).toEqual([80, 15, 15, 15])
  const points = async (type: number, more: object = {}) =>
    (await ask('timeSeries', { type, ...scope, ...more })).body.data as { value: Record<string, number> }[]
  const total = (all: { value: Record<string, number> }[], name: string) =>
    all.reduce((sum, { value }) => sum + value[name]!, 0)
  for (const minutesStep of [1, 5, 60]) {
    const requests = await points(2, { minutesStep })
    expect([total(requests, 'pass'), total(requests, 'drop')]).toEqual([80, 15])
  }
  expect(total(await points(102), '9xx')).toBe(15)
  expect((await ask('top', { type: 104, ...scope })).body.data).toEqual([
    { name: '200', value: 80 },
    { name: '903', value: 15 },
  ])
  // With a filter that counters support, and with one that they do not.
  expect((await ask('info', { type: 3, ...scope, filter: { action: ['block'] } })).body.data['3'].requests).toBe(15)
  expect((await ask('info', { type: 3, ...scope, filter: { country: ['TW'] } })).body.data['3'].requests).toBe(120)
  expect((await ask('top', { type: 11, ...scope })).body.data).toEqual([{ name: 'TW', value: 120 }])
})

test('a step that is still filling is shown up to what is known, and never as a drop', async () => {
  const site = await server.makeSite(server.mine.token, 'filling')
  // A step of a day, of which some part is always over and some is not.
  const today = Math.floor(Date.now() / 86_400_000) * 86_400
  const body = { siteIDs: [site], startTime: today - 86_400, endTime: Date.now() / 1000, minutesStep: 1440 }
  const second = Math.floor(Date.now() / 1000)
  await server.uploadCounters([{ site, minute: second - (second % 60), requests: 6_000_000 }])
  const series = async (type: number) => (await ask('timeSeries', { type, ...body })).body
  const { data, until } = await series(2)
  const last = data.at(-1)
  expect(last.time + 86_400).toBeGreaterThan(until)
  expect(last.value.pass).toBe(6_000_000)
  const rate = (await series(106)).data.at(-1).value.pass
  const covered = 6_000_000 / rate
  expect(Math.abs(covered - (until - last.time))).toBeLessThan(60)
})

test('a list includes the current five minutes', async () => {
  const moment = Date.now() / 1000
  const refused = { action: 'block', cause: 903, status: 403, address: '203.0.113.9', domain: 'now.example' } as const
  await server.uploadEvents([{ ...refused, time: moment - 1 }])
  for (const [type, name] of [
    [25, '203.0.113.9'],
    [18, '203.0.113.9'],
    [24, 'now.example'],
  ] as const) {
    const { data } = (await ask('top', { type, startTime: moment - 60, endTime: moment + 1 })).body
    expect([type, data]).toEqual([type, expect.arrayContaining([{ name, value: 1 }])])
  }
})
