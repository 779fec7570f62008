import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { watchPace } from '../../../tests/harness/pace.ts'
import { type NodeApiFixture, startNodeApiFixture } from './testing/node-api-fixture.ts'
import { enrolNode, type TestNode, type TestStream } from './testing/test-node.ts'

let fixture: NodeApiFixture
beforeAll(async () => {
  fixture = await startNodeApiFixture()
})
afterAll(() => fixture.close())

const join = async (zoneId: number): Promise<TestNode> =>
  enrolNode(fixture.server, fixture.authority.certificate, (await fixture.token(zoneId)).token)
const notify = (channel: string, payload: number) =>
  fixture.asSystem((db) => sql`select pg_notify(${channel}, ${String(payload)})`.execute(db))
const wakesOf = (stream: TestStream, kind: string) => stream.wakes.filter(({ wake }) => wake === kind)
const opened = (stream: TestStream) => vi.waitFor(() => expect(stream.wakes[0]?.wake).toBe('beat'))

/** Milliseconds until a plain database listener gets a notice: what any wake takes on this machine at present. */
async function plainNotice(): Promise<number> {
  const listener = new pg.Client({ connectionString: fixture.services.env.databaseUrl })
  await listener.connect()
  await listener.query('listen plain')
  const heard = new Promise<number>((done) => listener.once('notification', () => done(Date.now())))
  const from = Date.now()
  await notify('plain', 1)
  const took = (await heard) - from
  await listener.end()
  return took
}

test('a notice wakes the nodes of its group within 200 ms, and no others', async () => {
  const [east, west] = await Promise.all([join(fixture.east.zoneId), join(fixture.west.zoneId)])
  const [ofEast, ofWest] = await Promise.all([east.stream(), west.stream()])
  await Promise.all([opened(ofEast), opened(ofWest)])
  for (const kind of ['feed', 'tasks']) {
    const [from, pace] = [Date.now(), watchPace()]
    await notify(kind, fixture.east.groupId)
    await vi.waitFor(() => expect(wakesOf(ofEast, kind)).toHaveLength(1))
    expect(wakesOf(ofEast, kind)[0]!.at - from).toBeLessThan(pace.within(200) + 5 * (await plainNotice()))
    pace.stop()
  }
  expect(ofWest.wakes.map(({ wake }) => wake)).toEqual(['beat'])
  ofEast.message.destroy()
  ofWest.message.destroy()
})

test('a hundred notices at once become a few wakes, and the last one is not lost', async () => {
  const node = await join(fixture.east.zoneId)
  const stream = await node.stream()
  await opened(stream)
  const from = Date.now()
  await Promise.all(Array.from({ length: 99 }, () => notify('feed', fixture.east.groupId)))
  const lastAt = Date.now()
  await notify('feed', fixture.east.groupId)
  await vi.waitFor(() => expect(wakesOf(stream, 'feed').at(-1)?.at).toBeGreaterThanOrEqual(lastAt))
  await wait(200)
  // At most one every 50 ms: a slow machine takes longer to send a hundred.
  expect(wakesOf(stream, 'feed').length).toBeLessThan(20 + (Date.now() - from) / 50)
  stream.message.destroy()
})

test('a removed node is disconnected at once: its stream ends and its certificate is rejected', async () => {
  const node = await join(fixture.east.zoneId)
  const stream = await node.stream()
  await opened(stream)
  const [from, pace] = [Date.now(), watchPace()]
  await fixture.asSystem(async (db) => {
    await db.updateTable('nodes').set({ revokedAt: new Date() }).where('id', '=', node.reply.nodeId).execute()
    await sql`select pg_notify('nodes', ${String(node.reply.nodeId)})`.execute(db)
  })
  await stream.closed
  expect(Date.now() - from).toBeLessThan(pace.within(1_000) + 5 * (await plainNotice()))
  pace.stop()
  for (const path of ['/stream', '/feed?epoch=1&after=0&schema=2']) {
    expect(await node.get(path)).toMatchObject({ status: 401, body: { code: 101012 } })
  }
})

test('a revocation whose notice was lost still closes the stream within 5 s', async () => {
  const node = await join(fixture.east.zoneId)
  const stream = await node.stream()
  await opened(stream)
  const [from, pace] = [Date.now(), watchPace()]
  await fixture.asSystem((db) =>
    db.updateTable('nodes').set({ revokedAt: new Date() }).where('id', '=', node.reply.nodeId).execute(),
  )
  await stream.closed
  // It rechecks every five seconds, and the notice's time shows how long a query takes.
  expect(Date.now() - from).toBeLessThan(pace.within(5_000) + 5 * (await plainNotice()))
  pace.stop()
})

test('when the database drops the listening connection, it reconnects, and every node is woken', async () => {
  const node = await join(fixture.east.zoneId)
  const stream = await node.stream()
  await opened(stream)
  const { rows } = await fixture.services.database.pool.query(
    `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
     where application_name = 'breakwater notices' and datname = current_database()`,
  )
  expect(rows[0].n).toBe(1)
  await vi.waitFor(() => expect(wakesOf(stream, 'feed').length).toBeGreaterThan(0))
  await wait(100)
  const before = wakesOf(stream, 'tasks').length
  await notify('tasks', fixture.east.groupId)
  await vi.waitFor(() => expect(wakesOf(stream, 'tasks').length).toBeGreaterThan(before))
  stream.message.destroy()
})

test('a node has one stream: the second closes the first', async () => {
  const node = await join(fixture.east.zoneId)
  const first = await node.stream()
  await opened(first)
  const second = await node.stream()
  await opened(second)
  await first.closed
  await notify('feed', fixture.east.groupId)
  await vi.waitFor(() => expect(wakesOf(second, 'feed')).toHaveLength(1))
  second.message.destroy()
})

test('a node that is put into use gets the wakes of its new group on its existing stream', async () => {
  const zone = await fixture.asSystem((db) =>
    db
      .insertInto('zones')
      .values({ operatorId: fixture.operator, name: 'empty' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const node = await join(zone.id)
  const stream = await node.stream()
  await opened(stream)
  await fixture.asSystem((db) =>
    db.updateTable('nodes').set({ groupId: fixture.west.groupId }).where('id', '=', node.reply.nodeId).execute(),
  )
  await notify('nodes', node.reply.nodeId)
  await vi.waitFor(() => expect(wakesOf(stream, 'feed')).toHaveLength(1))
  await wait(100)
  await notify('feed', fixture.west.groupId)
  await vi.waitFor(() => expect(wakesOf(stream, 'feed')).toHaveLength(2))
  stream.message.destroy()
})
