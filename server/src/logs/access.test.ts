import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LogServer, startLogServer } from './testing/log-server.ts'

let server: LogServer
const now = Math.floor(Date.now() / 1000)
const span = { startTime: now - 7_200, endTime: now + 60 }

beforeAll(async () => {
  server = await startLogServer()
  const { mine, theirs } = server
  await server.uploadEvents([
    { time: now - 100.5, requestId: 'mine-1', path: '/a', query: 'x=1', address: '198.51.100.7', country: 'TW' },
    {
      time: now - 90,
      requestId: 'mine-2',
      path: '/b',
      address: '2001:db8::5',
      method: 'PROPFIND',
      status: 404,
      bytesSent: 9_000,
    },
    {
      time: now - 80,
      requestId: 'mine-3',
      path: '/login',
      address: '198.51.100.200',
      status: 403,
      cause: 903,
      guard: 'denyRules',
      rule: 4,
      action: 'block',
      cache: '',
      requestTime: 1,
    },
    {
      time: now - 70,
      requestId: 'theirs-1',
      site: theirs.site,
      path: '/a',
      address: '198.51.100.7',
      domain: 'theirs.example.com',
    },
  ])
  expect(mine.site).not.toBe(theirs.site)
})
afterAll(() => server.stop())

const list = async (body: object, as = server.mine.token, tier = 'user') => {
  const answer = await server.call('POST', `/${tier}/logs/access`, { as, body: { ...span, ...body } })
  return { ...answer, ids: (answer.body.data as { reqID: string }[] | undefined)?.map((row) => row.reqID) }
}

test('one’s own rows come newest first, in the contract’s format', async () => {
  const { body, ids } = await list({})
  expect(ids).toEqual(['mine-3', 'mine-2', 'mine-1'])
  expect(body).toMatchObject({ total: 3, isCapped: false })
  expect(body.data[2]).toMatchObject({
    time: new Date((now - 100.5) * 1000).toISOString(),
    siteID: server.mine.site,
    clientIP: '198.51.100.7',
    url: '/a?x=1',
    node: 'edge-1',
    traffic: 1000,
    weight: 1,
  })
})

test.each<[string, object, string[]]>([
  ['status', { status: [404] }, ['mine-2']],
  ['the product’s own code', { status: [903] }, ['mine-3']],
  ['method', { method: ['get'] }, ['mine-3', 'mine-1']],
  ['other methods', { method: ['other'] }, ['mine-2']],
  ['an address', { ip: ['198.51.100.7'] }, ['mine-1']],
  ['a network', { ip: ['198.51.100.128/25', '2001:db8::/64'] }, ['mine-3', 'mine-2']],
  ['action', { action: ['block'] }, ['mine-3']],
  ['cache', { cache: ['MISS'] }, ['mine-2', 'mine-1']],
  ['a page', { hostPath: ['www.example.com/b'] }, ['mine-2']],
  ['all but a page', { not: { hostPath: ['www.example.com/b'] } }, ['mine-3', 'mine-1']],
  [
    'a user agent',
    { userAgent: ['curl/8.5.0'], httpVersion: ['2'], scheme: ['https'] },
    ['mine-3', 'mine-2', 'mine-1'],
  ],
  ['all but a user agent', { not: { userAgent: ['curl/8.5.0'] } }, []],
  ['a referer', { referer: ['https://a.example/'] }, []],
  ['text of the URL', { url: 'example.com/a?x=' }, ['mine-1']],
  ['request id', { reqID: 'mine-2' }, ['mine-2']],
  ['exclusion', { not: { status: [403], ip: ['2001:db8::5'] } }, ['mine-1']],
  ['quotes and brackets', { url: "') OR 1=1 --", host: ["x' OR '1'='1", '{site:UInt32}'] }, []],
  ['time', { startTime: now - 95, endTime: now - 85 }, ['mine-2']],
])('filters by %s', async (_name, filter, expected) => {
  const { ids, body } = await list(filter)
  expect(ids).toEqual(expected)
  expect(body.total).toBe(expected.length)
})

test('sorts by the fields that the contract lists, and pages', async () => {
  expect((await list({ sortBy: 'traffic', orderBy: 'desc' })).ids![0]).toBe('mine-2')
  expect((await list({ sortBy: 'requestTime', orderBy: 'asc' })).ids![0]).toBe('mine-3')
  expect((await list({ page: 2, pageSize: 2 })).ids).toEqual(['mine-1'])
  expect((await list({ sortBy: 'path' })).status).toBe(400)
})

test('an invalid address is rejected at its field', async () => {
  const { status, body } = await list({ ip: ['nonsense'] })
  expect([status, body.extra]).toEqual([400, [{ field: 'ip', reason: 'wrongFormat' }]])
})

test('no filter lets a customer read another customer’s rows', async () => {
  const { theirs } = server
  const { db } = server.services.database
  const domain = await db.selectFrom('domains').select('id').where('siteId', '=', theirs.site).executeTakeFirst()
  for (const filter of [
    { siteIDs: [theirs.site] },
    { siteIDs: [server.mine.site, theirs.site] },
    { domainIDs: [domain?.id ?? 999_999] },
    { siteIDs: [999_999] },
  ]) {
    const { status, body } = await list(filter)
    expect([status, body.code]).toEqual([403, 101018])
  }
  for (const filter of [{ reqID: 'theirs-1' }, { host: ['theirs.example.com'] }, { url: 'theirs' }])
    expect((await list(filter)).ids).toEqual([])
  for (const filter of [
    { zoneIDs: [server.node.zoneId] },
    { zoneIDs: [999_999] },
    { ip: ['0.0.0.0/0', '::/0'] },
    { not: { host: ['www.example.com'] } },
  ])
    expect((await list(filter)).ids?.filter((id) => id.startsWith('theirs'))).toEqual([])
  expect((await list({}, theirs.token)).ids).toEqual(['theirs-1'])
})

test('an operator sees the rows of its customers, also by zone', async () => {
  expect((await list({}, server.operator, 'client')).body.total).toBe(4)
  expect(
    (await list({ zoneIDs: [server.node.zoneId], siteIDs: [server.theirs.site] }, server.operator, 'client')).ids,
  ).toEqual(['theirs-1'])
  expect((await list({ zoneIDs: [999_999] }, server.operator, 'client')).status).toBe(403)
})

test('the count stops at its cap and reports it', async () => {
  const many = Array.from({ length: 10_050 }, (_, i) => ({
    time: now - 6_000 + i / 10,
    requestId: `many-${i}`,
    site: server.theirs.site,
    path: '/many',
  }))
  await server.uploadEvents(many)
  const { body, ids } = await list({ url: '/many', page: 200, pageSize: 50 }, server.theirs.token)
  expect(body).toMatchObject({ total: 10_000, isCapped: true })
  expect(ids![49]).toBe('many-50')
  expect((await list({ url: '/many', page: 201, pageSize: 50 }, server.theirs.token)).ids).toEqual([])
})
