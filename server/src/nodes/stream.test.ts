import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { enrolNode, type TestNode, type TestStream } from './testing/test-node.ts'
import { startWorld, type World } from './testing/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const join = async (zoneId: number): Promise<TestNode> =>
  enrolNode(world.server, world.authority.certificate, (await world.token(zoneId)).token)
const notify = (channel: string, payload: number) =>
  world.asSystem((db) => sql`select pg_notify(${channel}, ${String(payload)})`.execute(db))
const wakesOf = (stream: TestStream, kind: string) => stream.wakes.filter(({ wake }) => wake === kind)
const opened = (stream: TestStream) => vi.waitFor(() => expect(stream.wakes[0]?.wake).toBe('beat'))

test('a notice wakes the nodes of its group within 200 ms, and nobody else', async () => {
  const [east, west] = await Promise.all([join(world.east.zoneId), join(world.west.zoneId)])
  const [ofEast, ofWest] = await Promise.all([east.stream(), west.stream()])
  await Promise.all([opened(ofEast), opened(ofWest)])
  for (const kind of ['feed', 'tasks']) {
    const from = Date.now()
    await notify(kind, world.east.groupId)
    await vi.waitFor(() => expect(wakesOf(ofEast, kind)).toHaveLength(1), { interval: 5 })
    expect(wakesOf(ofEast, kind)[0]!.at - from).toBeLessThan(200)
  }
  expect(ofWest.wakes.map(({ wake }) => wake)).toEqual(['beat'])
  ofEast.message.destroy()
  ofWest.message.destroy()
})

test('a hundred notices at once are a few wakes, and the last one is not lost', async () => {
  const node = await join(world.east.zoneId)
  const stream = await node.stream()
  await opened(stream)
  await Promise.all(Array.from({ length: 100 }, () => notify('feed', world.east.groupId)))
  const sentAt = Date.now()
  await vi.waitFor(() => expect(wakesOf(stream, 'feed').at(-1)?.at).toBeGreaterThanOrEqual(sentAt - 60))
  await pause(200)
  expect(wakesOf(stream, 'feed').length).toBeLessThan(20)
  stream.message.destroy()
})

test('a removed node is cut off at once: its stream ends and its certificate opens nothing', async () => {
  const node = await join(world.east.zoneId)
  const stream = await node.stream()
  await opened(stream)
  const from = Date.now()
  await world.asSystem(async (db) => {
    await db.updateTable('nodes').set({ revokedAt: new Date() }).where('id', '=', node.reply.nodeId).execute()
    await sql`select pg_notify('nodes', ${String(node.reply.nodeId)})`.execute(db)
  })
  await stream.closed
  expect(Date.now() - from).toBeLessThan(1_000)
  for (const path of ['/stream', '/feed?epoch=1&after=0&schema=2']) {
    expect(await node.get(path)).toMatchObject({ status: 401, body: { code: 101012 } })
  }
})

test('a revocation that nobody was told of still cuts the stream within 5 s', async () => {
  const node = await join(world.east.zoneId)
  const stream = await node.stream()
  await opened(stream)
  const from = Date.now()
  await world.asSystem((db) =>
    db.updateTable('nodes').set({ revokedAt: new Date() }).where('id', '=', node.reply.nodeId).execute(),
  )
  await stream.closed
  expect(Date.now() - from).toBeLessThan(5_000)
})

test('when the database drops the listening connection it is made anew, and every node is woken', async () => {
  const node = await join(world.east.zoneId)
  const stream = await node.stream()
  await opened(stream)
  const { rows } = await world.services.database.pool.query(
    `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
     where application_name = 'breakwater notices' and datname = current_database()`,
  )
  expect(rows[0].n).toBe(1)
  await vi.waitFor(() => expect(wakesOf(stream, 'feed').length).toBeGreaterThan(0), { timeout: 5_000 })
  await pause(100)
  const before = wakesOf(stream, 'tasks').length
  await notify('tasks', world.east.groupId)
  await vi.waitFor(() => expect(wakesOf(stream, 'tasks').length).toBeGreaterThan(before))
  stream.message.destroy()
})

test('a node has one stream: the second closes the first', async () => {
  const node = await join(world.east.zoneId)
  const first = await node.stream()
  await opened(first)
  const second = await node.stream()
  await opened(second)
  await first.closed
  await notify('feed', world.east.groupId)
  await vi.waitFor(() => expect(wakesOf(second, 'feed')).toHaveLength(1))
  second.message.destroy()
})

test('a node that is put to work hears the wakes of its new group on the stream it has', async () => {
  const zone = await world.asSystem((db) =>
    db
      .insertInto('zones')
      .values({ operatorId: world.operator, name: 'empty' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const node = await join(zone.id)
  const stream = await node.stream()
  await opened(stream)
  await world.asSystem((db) =>
    db.updateTable('nodes').set({ groupId: world.west.groupId }).where('id', '=', node.reply.nodeId).execute(),
  )
  await notify('nodes', node.reply.nodeId)
  await vi.waitFor(() => expect(wakesOf(stream, 'feed')).toHaveLength(1))
  await pause(100)
  await notify('feed', world.west.groupId)
  await vi.waitFor(() => expect(wakesOf(stream, 'feed')).toHaveLength(2))
  stream.message.destroy()
})
