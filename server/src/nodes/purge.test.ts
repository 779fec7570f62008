import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addTask } from './tasks.ts'
import { type Api, callerOf, startApi } from './testing/api.ts'
import { type NodeApiFixture, publish, startNodeApiFixture } from './testing/node-api-fixture.ts'
import { enrolNode, type TestNode } from './testing/test-node.ts'
import { isSignedTasks } from './testing/verify.ts'

let fixture: NodeApiFixture
let api: Api
let customer: ReturnType<typeof callerOf>
let siteId: number
let east: TestNode
let west: TestNode

beforeAll(async () => {
  fixture = await startNodeApiFixture()
  api = await startApi(fixture)
  customer = callerOf(fixture.customer, 'user')
  const join = async (zoneId: number) =>
    enrolNode(fixture.server, fixture.authority.certificate, (await fixture.token(zoneId)).token)
  east = await join(fixture.east.zoneId)
  west = await join(fixture.west.zoneId)
  await fixture.asSystem(async (db) => {
    const site = await publish(db, fixture, fixture.east.groupId, 'shop')
    siteId = site.siteId
    await db
      .insertInto('domains')
      .values({ tenantId: fixture.customer, siteId, name: 'shop.example', ownership: 'proven', proof: '' })
      .execute()
    await db
      .insertInto('domains')
      .values({ tenantId: fixture.customer, siteId, name: '*.shop.example', ownership: 'proven', proof: '' })
      .execute()
  })
  const report = { epoch: 1, watermark: 1, exceptions: [] }
  await Promise.all([east.post('/report', report), west.post('/report', report)])
})
afterAll(async () => {
  await api.close()
  await fixture.close()
})

const clear = (body: object, as = customer) => api.call(as, 'DELETE', `/${as.tier}/site/${siteId}/cache`, body)
const taskOf = async (body: object): Promise<number> => {
  const { status, body: answer } = await clear(body)
  expect(status).toBe(200)
  return (answer.data as { taskID: number }).taskID
}
const statusOf = async (taskId: number) =>
  (await api.call(customer, 'GET', `/user/site/${siteId}/cache/purge/${taskId}`)).body.data
const tasksOf = async (node: TestNode, after = 0) => {
  const reply = (await node.get(`/tasks?after=${after}`)).body as never as {
    tasks: string
    last: number
    signature: { keyId: string; value: string }
  }
  expect(await isSignedTasks(node.reply.signingKeys, node.reply.nodeId, after, reply)).toBe(true)
  return JSON.parse(reply.tasks) as { id: number; body: { type: string; values: string[] } }[]
}

test('a purge wakes the site’s nodes, reaches them signed, and is done when their receipts arrive', async () => {
  const stream = await east.stream()
  await vi.waitFor(() => expect(stream.wakes).not.toEqual([]))
  const taskId = await taskOf({
    type: 'url',
    urls: ['https://shop.example/a//b?x=1', 'cdn.shop.example/%61/b', 'shop.example/a/b?x=1'],
  })
  await vi.waitFor(() => expect(stream.wakes.map(({ wake }) => wake)).toContain('tasks'))
  stream.message.destroy()
  expect(await tasksOf(east)).toEqual([
    {
      id: taskId,
      body: { kind: 'purge', site: siteId, type: 'url', values: ['shop.example/a/b?x=1', 'cdn.shop.example/a/b'] },
    },
  ])
  expect(await tasksOf(west)).toEqual([])
  expect(await statusOf(taskId)).toEqual({ nodes: 1, away: 0, done: 0, failed: [] })
  await east.post('/tasks/receipts', { receipts: [{ id: taskId, ok: false, detail: 'disk full' }] })
  expect(await statusOf(taskId)).toEqual({
    nodes: 1,
    away: 0,
    done: 0,
    failed: [{ node: 'machine', detail: 'disk full' }],
  })
  await east.post('/tasks/receipts', { receipts: [{ id: taskId, ok: true, detail: '' }] })
  expect(await statusOf(taskId)).toEqual({ nodes: 1, away: 0, done: 1, failed: [] })
  expect(await tasksOf(east, taskId)).toEqual([])
})

test('task ids are assigned in commit order, so that no node misses one', async () => {
  const order: string[] = []
  const task = { kind: 'purge' as const, site: siteId, type: 'all' as const, values: [] }
  const first = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const slow = fixture
    .asSystem(async (db) => {
      const id = await addTask(db, fixture.east.groupId, task)
      begun.resolve()
      await first.promise
      return id
    })
    .finally(() => order.push('slow'))
  await begun.promise
  const quick = fixture.asSystem((db) => addTask(db, fixture.east.groupId, task)).finally(() => order.push('quick'))
  // Long enough for the quick one to finish, if it did not wait for the slow one.
  await Promise.race([quick, pause(300)])
  expect(order).toEqual([])
  first.resolve()
  const [slowId, quickId] = await Promise.all([slow, quick])
  expect(order).toEqual(['slow', 'quick'])
  expect(slowId).toBeLessThan(quickId)
})

test('a purge of a site in two groups is counted over both', async () => {
  const entry = { siteId, sequence: 1, revision: 1, artefact: Buffer.alloc(32), hosts: [] }
  await fixture.asSystem((db) =>
    db
      .insertInto('feedEntries')
      .values({ groupId: fixture.west.groupId, ...entry })
      .execute(),
  )
  const taskId = await taskOf({ type: 'tag', urls: ['summer sale'] })
  expect(await statusOf(taskId)).toEqual({ nodes: 2, away: 0, done: 0, failed: [] })
  const [task] = await tasksOf(west)
  expect(task?.body).toEqual({ kind: 'purge', site: siteId, type: 'tag', values: ['summer sale'] })
  await west.post('/tasks/receipts', { receipts: [{ id: task!.id, ok: true, detail: '' }] })
  expect(await statusOf(taskId)).toMatchObject({ nodes: 2, done: 1 })
})

test('an offline node is counted separately until it has purged', async () => {
  const seen = (lastSeenAt: Date) =>
    fixture.asSystem((db) =>
      db.updateTable('nodes').set({ lastSeenAt }).where('groupId', '=', fixture.west.groupId).execute(),
    )
  const taskId = await taskOf({ type: 'tag', urls: ['autumn sale'] })
  await seen(new Date(Date.now() - 60_000))
  expect(await statusOf(taskId)).toEqual({ nodes: 1, away: 1, done: 0, failed: [] })
  const task = (await tasksOf(west)).at(-1)
  await west.post('/tasks/receipts', { receipts: [{ id: task!.id, ok: true, detail: '' }] })
  expect(await statusOf(taskId)).toEqual({ nodes: 2, away: 0, done: 1, failed: [] })
  await seen(new Date())
})

test('a node’s receipt for another group’s task is ignored, and is a security event', async () => {
  const taskId = await taskOf({ type: 'all' })
  const before = fixture.nodeApi.metrics.securityEvents
  expect((await west.post('/tasks/receipts', { receipts: [{ id: taskId, ok: true, detail: '' }] })).status).toBe(200)
  expect(fixture.nodeApi.metrics.securityEvents).toBe(before + 1)
  expect(await statusOf(taskId)).toMatchObject({ done: 0 })
})

test('foreign domains, invalid URLs and missing values are rejected at their field, without a task', async () => {
  const count = () => fixture.asSystem((db) => db.selectFrom('tasks').select('id').execute())
  const before = (await count()).length
  const refusals: [object, unknown][] = [
    [
      { type: 'url', urls: ['shop.example/', 'victim.example/a'] },
      [{ field: 'urls.1', reason: 'notADomainOfThisSite' }],
    ],
    [{ type: 'prefix', urls: ['notshop.example/'] }, [{ field: 'urls.0', reason: 'notADomainOfThisSite' }]],
    [{ type: 'url', urls: ['http://user@shop.example/'] }, [{ field: 'urls.0', reason: 'wrongFormat' }]],
    [{ type: 'tag', urls: ['a\nb'] }, [{ field: 'urls.0', reason: 'wrongFormat' }]],
    [{ type: 'url', urls: [] }, [{ field: 'urls', reason: 'required' }]],
    [{ type: 'all', urls: ['shop.example/'] }, [{ field: 'urls', reason: 'notAllowed' }]],
  ]
  for (const [body, extra] of refusals) {
    const answer = await clear(body)
    expect([answer.status, answer.body.code, answer.body.extra]).toEqual([400, 101003, extra])
  }
  expect((await count()).length).toBe(before)
})

test('a sitemap is fetched from the origin, and its URLs of the site are preheated like a list of URLs', async () => {
  const asked: string[] = []
  const origin = createServer((request, response) => {
    const { host, 'x-forwarded-proto': proto } = request.headers
    asked.push(`${host} ${request.url} ${proto}`)
    if (request.url === '/sitemap.xml') response.writeHead(302, { location: '/index.xml' }).end()
    else if (request.url === '/index.xml')
      response.end('<sitemapindex><sitemap><loc>http://www.shop.example/1.xml.gz</loc></sitemap></sitemapindex>')
    else if (request.url === '/1.xml.gz')
      response.end(
        gzipSync(
          '<urlset><url><loc>https://shop.example/from-map</loc></url><url><loc>http://victim.example/</loc></url></urlset>',
        ),
      )
    else response.writeHead(request.url === '/away.xml' ? 302 : 404, { location: 'http://127.0.0.1/' }).end()
  })
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done))
  const { port } = origin.address() as AddressInfo
  const setOrigins = (...ips: string[]) =>
    fixture.asSystem(async (db) => {
      const domains = await db.selectFrom('domains').select('id').where('siteId', '=', siteId).execute()
      await db.deleteFrom('upstreams').execute()
      for (const { id } of domains)
        for (const ip of ips)
          await db.insertInto('upstreams').values({ tenantId: fixture.customer, domainId: id, ip, port }).execute()
    })
  const place = `/user/site/${siteId}/cache/preheat`
  const ofSitemap = (url: string, as = customer) => api.call(as, 'POST', `${place}/sitemap`, { url })
  try {
    await setOrigins('127.0.0.1')
    const { status, body } = await ofSitemap('https://shop.example/sitemap.xml')
    expect(status).toBe(200)
    const { taskID } = body.data as { taskID: number }
    expect(body.data).toEqual({ taskID, urls: 1, skipped: 1, isWhole: true })
    expect(asked).toEqual([
      'shop.example /sitemap.xml https',
      'shop.example /index.xml https',
      'www.shop.example /1.xml.gz http',
    ])
    expect((await tasksOf(east, taskID - 1)).map((task) => task.body)).toEqual([
      { kind: 'preheat', site: siteId, url: 'https://shop.example/from-map' },
    ])
    expect((await api.call(customer, 'GET', `${place}/${taskID}`)).body.data).toMatchObject({ total: 2, done: 0 })

    const refused = async (url: string) => (await ofSitemap(url)).body
    for (const [url, reason] of [
      ['shop.example/sitemap.xml', 'wrongFormat'],
      ['http://shop.example:8080/sitemap.xml', 'wrongFormat'],
      ['http://169.254.169.254/latest/', 'notADomainOfThisSite'],
      ['https://shop.example/none.xml', 'sitemapNotFetched'],
      ['https://shop.example/away.xml', 'notADomainOfThisSite'],
    ] as const)
      expect(await refused(url), url).toMatchObject({ code: 101003, extra: [{ field: 'url', reason }] })
    // The guard lets nobody reach an address that is not public, whatever a domain's origins are.
    await setOrigins('169.254.169.254')
    expect(await refused('https://shop.example/sitemap.xml')).toMatchObject({
      extra: [{ reason: 'sitemapNotFetched' }],
    })
    const reader = callerOf(fixture.customer, 'user', ['cache.read'])
    expect((await ofSitemap('https://shop.example/sitemap.xml', reader)).status).toBe(403)
  } finally {
    origin.close()
    await fixture.asSystem((db) => db.deleteFrom('tasks').execute())
  }
})

test('a preheat reaches the nodes by URL, with progress by URL and node; the operator preheats a zone', async () => {
  const preheat = (urls: string[], as = customer) =>
    api.call(as, 'POST', `/${as.tier}/site/${siteId}/cache/preheat`, { urls })
  const operator = callerOf(fixture.operator, 'client')
  const place = `/client/zone/${fixture.east.zoneId}/setting/preheatCaches`
  const urls = ['https://shop.example/a%20b', 'http://cdn.shop.example', 'http://cdn.shop.example/']
  const { status, body } = await preheat(urls)
  expect(status).toBe(200)
  const { taskID } = body.data as { taskID: number }
  const own = (await tasksOf(east, taskID - 1)) as { id: number; body: unknown }[]
  expect(own.map((task) => task.body)).toEqual([
    { kind: 'preheat', site: siteId, url: 'https://shop.example/a%20b' },
    { kind: 'preheat', site: siteId, url: 'http://cdn.shop.example/' },
  ])
  expect(await tasksOf(west, taskID - 1)).toHaveLength(2)
  await east.post('/tasks/receipts', {
    receipts: [
      { id: own[0]!.id, ok: true, detail: '' },
      { id: own[1]!.id, ok: false, detail: 'answered 404' },
    ],
  })
  const progress = await api.call(customer, 'GET', `/user/site/${siteId}/cache/preheat/${taskID}`)
  expect(progress.body.data).toEqual({
    ...{ total: 4, done: 1, failed: 1, nodes: 2 },
    failures: [{ url: 'http://cdn.shop.example/', node: 'machine', detail: 'answered 404' }],
  })

  expect((await api.call(operator, 'POST', place, { urls: ['https://www.shop.example/new'] })).status).toBe(200)
  const listed = await api.call(operator, 'GET', `${place}?pageSize=3`)
  expect(listed.body).toMatchObject({
    total: 3,
    data: [
      { url: 'https://www.shop.example/new', status: 'running', nodes: 1, done: 0, failed: [] },
      { url: 'http://cdn.shop.example/', status: 'failed', failed: [{ node: 'machine', detail: 'answered 404' }] },
      { url: 'https://shop.example/a%20b', status: 'done', done: 1 },
    ],
  })

  const wrong: [string, string, string][] = [
    ['shop.example/a', 'wrongFormat', 'wrongFormat'],
    ['https://shop.example:8443/a', 'wrongFormat', 'wrongFormat'],
    ['ftp://shop.example/a', 'wrongFormat', 'wrongFormat'],
    ['http://127.0.0.1/a', 'notADomainOfThisSite', 'notADomainOfThisZone'],
    ['http://victim.example/', 'notADomainOfThisSite', 'notADomainOfThisZone'],
  ]
  const mixed = ['https://shop.example/', ...wrong.map(([url]) => url)]
  const issues = (at: 1 | 2) => wrong.map((one, i) => ({ field: `urls.${i + 1}`, reason: one[at] }))
  expect((await preheat(mixed)).body).toMatchObject({ code: 101003, extra: issues(1) })
  expect((await api.call(operator, 'POST', place, { urls: mixed })).body).toMatchObject({
    code: 101003,
    extra: issues(2),
  })
  expect((await preheat([])).body).toMatchObject({ extra: [{ field: 'urls', reason: 'required' }] })
  const many = Array.from({ length: 1001 }, (_, i) => `https://shop.example/${i}`)
  expect((await preheat(many)).body).toMatchObject({ extra: [{ field: 'urls', reason: 'itemsExceedLimit' }] })

  const reader = callerOf(fixture.customer, 'user', ['cache.read'])
  expect((await preheat(urls, reader)).status).toBe(403)
  const watcher = callerOf(fixture.operator, 'client', ['zones.read'])
  expect((await api.call(watcher, 'POST', place, { urls })).status).toBe(403)
  const stranger = callerOf(fixture.operator + 1_000_000, 'client')
  expect((await api.call(stranger, 'GET', place)).status).toBe(403)

  await fixture.asSystem((db) => db.deleteFrom('tasks').execute())
  const callers = Array.from({ length: 4 }, () => callerOf(fixture.customer, 'user'))
  const answers = await Promise.all(callers.flatMap((as) => Array.from({ length: 3 }, () => preheat(urls, as))))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(10)
  expect(answers.filter((answer) => answer.status === 429)).toHaveLength(2)
  expect((await clear({ type: 'all' })).status).toBe(200)
})

test('another customer’s site and another site’s purge answer as if they did not exist', async () => {
  const other = await fixture.asSystem(async (db) => {
    const tenant = await db
      .insertInto('tenants')
      .values({ kind: 'customer', name: 'other', operatorId: fixture.operator })
      .returning('id')
      .executeTakeFirstOrThrow()
    const site = await publish(db, { ...fixture, customer: tenant.id }, fixture.east.groupId, 'other')
    return { caller: callerOf(tenant.id, 'user'), siteId: site.siteId }
  })
  const taskId = await taskOf({ type: 'all' })
  expect((await clear({ type: 'all' }, other.caller)).body.code).toBe(101018)
  const foreign = await api.call(other.caller, 'GET', `/user/site/${other.siteId}/cache/purge/${taskId}`)
  expect(foreign.body.code).toBe(101018)
  expect((await clear({ type: 'all' }, callerOf(fixture.operator, 'client'))).status).toBe(200)
})

test('a tenant may send sixty purges a minute, also concurrently', async () => {
  await fixture.asSystem((db) => db.deleteFrom('tasks').execute())
  const callers = Array.from({ length: 14 }, () => callerOf(fixture.customer, 'user'))
  const answers = await Promise.all(
    callers.flatMap((as) => Array.from({ length: 5 }, () => clear({ type: 'all' }, as))),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
})
