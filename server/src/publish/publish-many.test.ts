/** A change of many sites has the same result for each as publishing it alone, or affects none of them. */
import { randomBytes } from 'node:crypto'
import { inlineIpsMax } from '@breakwater/contract/edge/ip-set.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../db/database.ts'
import { type NodeApiFixture, startNodeApiFixture } from '../nodes/testing/node-api-fixture.ts'
import { parts } from '../parts.ts'
import { publishMany } from './change-many.ts'
import { publishSite } from './change-site.ts'
import { diffDocuments } from './diff.ts'
import { lockSites } from './locked-sites.ts'
import { documentAt } from './read.ts'

const publisher = { parts, allowOrigins: ['127.0.0.0/8'] }
const about = { actor: 'somebody', action: 'site.module.customHeader.header.update', summary: 'module' }

let fixture: NodeApiFixture
let modules: number[]
let siteIds: number[]

const header = (tenantId: number, moduleId: number, value: string) => ({
  ...{ tenantId, moduleId, kind: 'customHeaders', uniqueKey: `response:x-${moduleId}` },
  body: JSON.stringify({ type: 'response', key: 'X-Version', value }),
})

async function makeModule(db: Database, name: string): Promise<number> {
  const values = { tenantId: fixture.customer, kind: 'customHeaders', name }
  const { id } = await db.insertInto('modules').values(values).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('rules')
    .values(header(fixture.customer, id, 'first'))
    .execute()
  return id
}

/** Sites that differ in everything that publishing depends on. */
async function makeSite(db: Database, at: number): Promise<number> {
  const tenantId = fixture.customer
  const [first, second] = modules as [number, number]
  const { id } = await db
    .insertInto('sites')
    .values({
      ...{ tenantId, productId: fixture.product, name: `shop ${at}`, label: randomBytes(8).toString('hex') },
      status: at === 3 ? 2 : 1,
      limitations: JSON.stringify({ domains: 9, ports: 1, trafficBytes: 0 }),
      settings: JSON.stringify(at === 4 ? { originCredential: { header: 'X-Origin', version: 2 } } : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const [place, module] of [first, at % 2 === 0 ? second : null, first].entries()) {
    const domain = await db
      .insertInto('domains')
      .values({
        ...{ tenantId, siteId: id, name: `d${place}.shop${at}.example`, proof: 'proof', ownership: 'proven' as const },
        ...{ status: place === 2 && at === 5 ? 2 : 1 },
        portMap: JSON.stringify({ 443: 8443, 80: 8080 }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (module !== null)
      await db
        .insertInto('domainModules')
        .values({ domainId: domain.id, kind: 'customHeaders', moduleId: module, tenantId })
        .execute()
    const upstreams = ['192.0.2.1', '192.0.2.2'].map((ip, port) => ({ tenantId, domainId: domain.id, ip, port }))
    if (at % 3 > 0)
      await db
        .insertInto('upstreams')
        .values(upstreams.slice(0, at % 3))
        .execute()
  }
  const length = at === 6 ? inlineIpsMax + 1 : 2
  const ips = Array.from({ length }, (_, n) => `198.51.${n >> 8}.${n & 255}`)
  const rules = [
    { kind: 'denyRules', sort: 2, body: { urlRegex: '^/a', methodValues: ['GET'], ips } },
    { kind: 'denyRules', sort: 1, body: { urlRegex: '^/b', methodValues: [], ips: ['203.0.113.9'] } },
    { kind: 'rateRules', sort: 1, body: { urlRegex: '/', rate: at + 1, burst: 2, blockType: 1 } },
  ]
  if (at !== 7)
    await db
      .insertInto('rules')
      .values(rules.map(({ body, ...rule }) => ({ ...rule, tenantId, siteId: id, body: JSON.stringify(body) })))
      .execute()
  return id
}

/** Everything that publishing stores. */
async function left(db: Database) {
  const all = async (text: string) => (await sql.raw(text).execute(db)).rows
  return {
    sites: await all('select id, revision from sites order by id'),
    revisions: await all('select site_id, revision, manifest, actor, action, summary from revisions order by 1, 2'),
    parts: await all("select encode(hash, 'hex') as hash, body from parts order by hash"),
    feeds: await all('select * from feeds order by group_id'),
    entries: await all(
      "select group_id, site_id, sequence, revision, encode(artefact, 'hex') as artefact, hosts from feed_entries order by 1, 2",
    ),
    objects: await all("select encode(hash, 'hex') as hash, encode(bytes, 'escape') as bytes from objects order by 1"),
    links: await all(
      "select encode(artefact, 'hex') as artefact, encode(object, 'hex') as object from artefact_objects order by 1, 2",
    ),
  }
}

class Undone extends Error {}

/** What a run stores, before it is rolled back. */
async function leftBy(run: (db: Database) => Promise<unknown>): Promise<Awaited<ReturnType<typeof left>>> {
  let found: Awaited<ReturnType<typeof left>> | undefined
  const undone = fixture.asSystem(async (db) => {
    await run(db)
    found = await left(db)
    throw new Undone()
  })
  await expect(undone).rejects.toThrow(Undone)
  return found!
}

const change = (db: Database, moduleId: number, value: string) =>
  db
    .updateTable('rules')
    .set({ body: header(0, moduleId, value).body })
    .where('moduleId', '=', moduleId)
    .execute()

const together = async (db: Database) => publishMany(db, await lockSites(db, siteIds), publisher, about)

beforeAll(async () => {
  fixture = await startNodeApiFixture()
  siteIds = []
  await fixture.asSystem(async (db) => {
    const groups = [fixture.east.groupId, fixture.west.groupId]
    await db
      .insertInto('productGroups')
      .values(groups.map((groupId) => ({ productId: fixture.product, groupId })))
      .execute()
    modules = [await makeModule(db, 'versions'), await makeModule(db, 'others')]
    for (let at = 0; at < 14; at++) siteIds.push(await makeSite(db, at))
    await together(db)
    // One group no longer serves the product: it gets tombstones. One site was never published.
    await db.deleteFrom('productGroups').where('groupId', '=', fixture.west.groupId).execute()
    siteIds.push(await makeSite(db, 14))
  })
})
afterAll(() => fixture.close())

test('each site gets the same revision, parts, artefact and sequence as when it is published alone', async () => {
  const [module] = modules as [number]
  const many = await leftBy(async (db) => {
    await change(db, module, 'second')
    await together(db)
  })
  const single = await leftBy(async (db) => {
    await change(db, module, 'second')
    for (const site of await lockSites(db, siteIds)) await publishSite(db, site, publisher, about)
  })
  expect(many.revisions).toHaveLength(14 * 2 + 1)
  // The limited site is published too: its nodes refuse its visitors.
  expect(many.entries.filter((entry) => (entry as { artefact: unknown }).artefact !== null)).toHaveLength(15)
  expect(many).toEqual(single)
})

test('the history shows only the module’s change, as for a site that is published alone', async () => {
  const [module] = modules as [number]
  await leftBy(async (db) => {
    await change(db, module, 'third')
    const alone = new Map<number, unknown>()
    const undo = sql`rollback to savepoint alone`
    await sql`savepoint alone`.execute(db)
    for (const site of await lockSites(db, siteIds)) alone.set(site.id, await publishSite(db, site, publisher, about))
    await undo.execute(db)
    await together(db)
    for (const id of siteIds.slice(0, 14)) {
      const changes = diffDocuments(parts, await documentAt(db, parts, id, 1), (await documentAt(db, parts, id, 2))!)
      expect(changes.map(({ path, kind }) => [path, kind])).toEqual([[`modules/${module}`, 'changed']])
      expect(changes).toEqual(alone.get(id))
    }
  })
})

test('a site that cannot be published leaves all of them unchanged', async () => {
  const before = await fixture.asSystem(left)
  const refused = fixture.asSystem(async (db) => {
    await change(db, modules[0]!, 'fourth')
    await sql`update rules set body = '{"urlRegex": "/"}' where site_id = ${siteIds.at(-2)} and kind = 'denyRules'`.execute(
      db,
    )
    await together(db)
  })
  await expect(refused).rejects.toThrow()
  expect(await fixture.asSystem(left)).toEqual(before)
})

test('concurrent changes of the same sites wait for one another, and each makes a revision', async () => {
  const [before] = (await fixture.asSystem(left)).sites as { revision: number }[]
  const one = (id: number) =>
    fixture.asSystem(async (db) => {
      for (const site of await lockSites(db, [id])) await publishSite(db, site, publisher, about)
    })
  await Promise.all([...Array.from({ length: 4 }, () => fixture.asSystem(together)), ...siteIds.slice(0, 5).map(one)])
  const { sites, entries, feeds } = await fixture.asSystem(left)
  expect((sites as { revision: number }[])[0]?.revision).toBe(before!.revision + 5)
  const sequences = (entries as { groupId: number; sequence: number }[]).filter(
    (entry) => entry.groupId === fixture.east.groupId,
  )
  const [{ head }] = feeds.filter((feed) => (feed as { groupId: number }).groupId === fixture.east.groupId) as [
    { head: number },
  ]
  expect(Math.max(...sequences.map(({ sequence }) => sequence))).toBe(head)
})
