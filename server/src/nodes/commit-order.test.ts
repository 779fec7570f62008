/** Concurrent changes: no node ever misses one, and a site that moves is served by one group after the other. */
import type { FeedEntry, FeedReply } from '@breakwater/contract/edge/node-api.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '../db/database.ts'
import { appendToFeeds } from '../publish/feed.ts'
import { type NodeApiFixture, publish, startNodeApiFixture } from './testing/node-api-fixture.ts'
import { enrolNode, type TestNode } from './testing/test-node.ts'

let fixture: NodeApiFixture
let east: TestNode
let west: TestNode

beforeAll(async () => {
  fixture = await startNodeApiFixture()
  const join = async (zoneId: number) =>
    enrolNode(fixture.server, fixture.authority.certificate, (await fixture.token(zoneId)).token)
  east = await join(fixture.east.zoneId)
  west = await join(fixture.west.zoneId)
})
afterAll(() => fixture.close())

const feedOf = async (node: TestNode, after = 0) => {
  const { body } = await node.get(`/feed?epoch=1&after=${after}&schema=2`)
  const reply = body as unknown as FeedReply
  return { ...reply, list: JSON.parse(reply.entries) as FeedEntry[] }
}

const serve = (groupIds: number[]) =>
  fixture.asSystem(async (db) => {
    await db.deleteFrom('productGroups').where('productId', '=', fixture.product).execute()
    const rows = groupIds.map((groupId) => ({ productId: fixture.product, groupId }))
    await db.insertInto('productGroups').values(rows).execute()
  })

/** Publishes another revision of a site with the artefact that it had. */
const tell = (db: Database, { siteId, artefact }: { siteId: number; artefact: string }, host: string) => {
  const bytes = Buffer.from(artefact)
  const rendered = {
    artefact: { hash: artefact, bytes, requires: [] },
    objects: new Map<string, Buffer>(),
    hosts: [host],
  }
  return appendToFeeds(db, [{ site: { id: siteId, productId: fixture.product }, revision: 2, rendered }])
}

test('of two transactions on one feed the later one waits, and a node reads both in order', async () => {
  await serve([fixture.east.groupId])
  const [a, b] = await fixture.asSystem(async (db) => [
    await publish(db, fixture, fixture.east.groupId, 'first'),
    await publish(db, fixture, fixture.east.groupId, 'second'),
  ])
  const { after } = await feedOf(east)
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const change = (site: typeof a, host: string, before: () => Promise<void>) =>
    fixture.asSystem(async (db) => {
      await tell(db, site!, host)
      await before()
    })
  let appended = () => {}
  const firstAppended = new Promise<void>((done) => {
    appended = done
  })
  const first = change(a, 'first.example', async () => {
    appended()
    await held
  })
  await firstAppended
  const second = change(b, 'second.example', async () => {})
  await vi.waitFor(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(fixture.services.database.db)
    expect(rows[0]?.n).toBe(1)
  })
  expect((await feedOf(east, after)).list).toEqual([])
  release()
  await Promise.all([first, second])
  const { list } = await feedOf(east, after)
  expect(list.map(({ site, sequence }) => [site, sequence - after])).toEqual([
    [a!.siteId, 1],
    [b!.siteId, 2],
  ])
})

test('a hundred concurrent changes leave no gap: a node that reads all the while sees each of them', async () => {
  const made = await fixture.asSystem(async (db) => {
    const sites = []
    for (let at = 0; at < 100; at++) sites.push(await publish(db, fixture, fixture.east.groupId, `many-${at}`))
    return sites
  })
  let { after } = await feedOf(east)
  const end = after + made.length
  const heard = new Set<number>()
  const changes = Promise.all(
    made.map(({ siteId, artefact }, at) =>
      fixture.asSystem((db) => tell(db, { siteId, artefact }, `many-${at}.example`)),
    ),
  )
  while (after < end) {
    const page = await feedOf(east, after)
    for (const { site } of page.list) heard.add(site)
    after = page.after
  }
  await changes
  expect(heard).toEqual(new Set(made.map(({ siteId }) => siteId)))
})

test('a site that changes groups is a tombstone in the old and served in the new, in one transaction', async () => {
  const site = await fixture.asSystem((db) => publish(db, fixture, fixture.east.groupId, 'mover'))
  const [before, there] = [await feedOf(east), await feedOf(west)]
  await serve([fixture.west.groupId])
  await fixture.asSystem((db) => tell(db, site, 'mover.example'))
  const [left] = (await feedOf(east, before.after)).list
  const [came] = (await feedOf(west, there.after)).list
  expect(left).toMatchObject({ site: site.siteId, revision: 2, artefact: null, hosts: [] })
  expect(came).toMatchObject({ site: site.siteId, revision: 2, artefact: site.artefact, hosts: ['mover.example'] })
})
