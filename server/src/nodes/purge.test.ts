import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addTask } from './tasks.ts'
import { type Api, callerOf, startApi } from './testing/api.ts'
import { enrolNode, type TestNode } from './testing/test-node.ts'
import { isSignedTasks } from './testing/verify.ts'
import { publish, startWorld, type World } from './testing/world.ts'

let world: World
let api: Api
let customer: ReturnType<typeof callerOf>
let siteId: number
let east: TestNode
let west: TestNode

beforeAll(async () => {
  world = await startWorld()
  api = await startApi(world)
  customer = callerOf(world.customer, 'user')
  const join = async (zoneId: number) =>
    enrolNode(world.server, world.authority.certificate, (await world.token(zoneId)).token)
  east = await join(world.east.zoneId)
  west = await join(world.west.zoneId)
  await world.asSystem(async (db) => {
    const site = await publish(db, world, world.east.groupId, 'shop')
    siteId = site.siteId
    await db
      .insertInto('domains')
      .values({ tenantId: world.customer, siteId, name: 'shop.example', proof: '' })
      .execute()
    await db
      .insertInto('domains')
      .values({ tenantId: world.customer, siteId, name: '*.shop.example', proof: '' })
      .execute()
  })
  const report = { epoch: 1, watermark: 1, exceptions: [] }
  await Promise.all([east.post('/report', report), west.post('/report', report)])
})
afterAll(async () => {
  await api.close()
  await world.close()
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

test('a purge wakes the nodes that serve the site, reaches them signed, and is done when their receipts say so', async () => {
  const stream = await east.stream()
  await vi.waitFor(() => expect(stream.wakes).toHaveLength(1))
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
  expect(await statusOf(taskId)).toEqual({ nodes: 1, done: 0, failed: [] })
  await east.post('/tasks/receipts', { receipts: [{ id: taskId, ok: false, detail: 'disk full' }] })
  expect(await statusOf(taskId)).toEqual({ nodes: 1, done: 0, failed: [{ node: 'machine', detail: 'disk full' }] })
  await east.post('/tasks/receipts', { receipts: [{ id: taskId, ok: true, detail: '' }] })
  expect(await statusOf(taskId)).toEqual({ nodes: 1, done: 1, failed: [] })
  expect(await tasksOf(east, taskId)).toEqual([])
})

test('ids of tasks are given in the order in which they become visible, so that no node misses one', async () => {
  const order: string[] = []
  const task = { kind: 'purge' as const, site: siteId, type: 'all' as const, values: [] }
  const first = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const slow = world
    .asSystem(async (db) => {
      const id = await addTask(db, world.east.groupId, siteId, task)
      begun.resolve()
      await first.promise
      return id
    })
    .finally(() => order.push('slow'))
  await begun.promise
  const quick = world.asSystem((db) => addTask(db, world.east.groupId, siteId, task)).finally(() => order.push('quick'))
  // Time enough for the quick one to be done, were it not waiting for the slow one.
  await Promise.race([quick, pause(300)])
  expect(order).toEqual([])
  first.resolve()
  const [slowId, quickId] = await Promise.all([slow, quick])
  expect(order).toEqual(['slow', 'quick'])
  expect(slowId).toBeLessThan(quickId)
})

test('a purge of a site in two groups is counted over both', async () => {
  const entry = { siteId, sequence: 1, revision: 1, artefact: Buffer.alloc(32), hosts: [] }
  await world.asSystem((db) =>
    db
      .insertInto('feedEntries')
      .values({ groupId: world.west.groupId, ...entry })
      .execute(),
  )
  const taskId = await taskOf({ type: 'tag', urls: ['summer sale'] })
  expect(await statusOf(taskId)).toEqual({ nodes: 2, done: 0, failed: [] })
  const [task] = await tasksOf(west)
  expect(task?.body).toEqual({ kind: 'purge', site: siteId, type: 'tag', values: ['summer sale'] })
  await west.post('/tasks/receipts', { receipts: [{ id: task!.id, ok: true, detail: '' }] })
  expect(await statusOf(taskId)).toMatchObject({ nodes: 2, done: 1 })
})

test('a node’s receipt for another group’s task counts for nothing and is a security event', async () => {
  const taskId = await taskOf({ type: 'all' })
  const before = world.gate.metrics.securityEvents
  expect((await west.post('/tasks/receipts', { receipts: [{ id: taskId, ok: true, detail: '' }] })).status).toBe(200)
  expect(world.gate.metrics.securityEvents).toBe(before + 1)
  expect(await statusOf(taskId)).toMatchObject({ done: 0 })
})

test('what is no domain of the site, no URL, or missing is refused at its place, and no task is made', async () => {
  const count = () => world.asSystem((db) => db.selectFrom('tasks').select('id').execute())
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

test('another customer’s site and another site’s purge answer as if they were not there', async () => {
  const other = await world.asSystem(async (db) => {
    const tenant = await db
      .insertInto('tenants')
      .values({ kind: 'customer', name: 'other', operatorId: world.operator })
      .returning('id')
      .executeTakeFirstOrThrow()
    const site = await publish(db, { ...world, customer: tenant.id }, world.east.groupId, 'other')
    return { caller: callerOf(tenant.id, 'user'), siteId: site.siteId }
  })
  const taskId = await taskOf({ type: 'all' })
  expect((await clear({ type: 'all' }, other.caller)).body.code).toBe(101018)
  const foreign = await api.call(other.caller, 'GET', `/user/site/${other.siteId}/cache/purge/${taskId}`)
  expect(foreign.body.code).toBe(101018)
  expect((await clear({ type: 'all' }, callerOf(world.operator, 'client'))).status).toBe(200)
})

test('sixty purges a minute are enough for one tenant, also when they come at once', async () => {
  await world.asSystem((db) => db.deleteFrom('tasks').execute())
  const callers = Array.from({ length: 14 }, () => callerOf(world.customer, 'user'))
  const answers = await Promise.all(
    callers.flatMap((as) => Array.from({ length: 5 }, () => clear({ type: 'all' }, as))),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
})
