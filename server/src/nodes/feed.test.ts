import type { FeedEntry, FeedReply } from '@breakwater/contract/edge/node-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeSiteSecret } from '../secrets/store.ts'
import { type NodeApiFixture, publish, startNodeApiFixture } from './testing/node-api-fixture.ts'
import { enrolNode, type TestNode } from './testing/test-node.ts'
import { isSignedFeed, openByHand } from './testing/verify.ts'

let fixture: NodeApiFixture
let east: TestNode
let west: TestNode
let sites: Awaited<ReturnType<typeof publish>>[]
let westSite: Awaited<ReturnType<typeof publish>>

beforeAll(async () => {
  fixture = await startNodeApiFixture()
  const join = async (zoneId: number) =>
    enrolNode(fixture.server, fixture.authority.certificate, (await fixture.token(zoneId)).token)
  east = await join(fixture.east.zoneId)
  west = await join(fixture.west.zoneId)
  sites = await fixture.asSystem(async (db) => {
    const made = []
    for (let i = 1; i <= 5; i += 1) made.push(await publish(db, fixture, fixture.east.groupId, `east-${i}`))
    return made
  })
  westSite = await fixture.asSystem((db) => publish(db, fixture, fixture.west.groupId, 'west-1'))
})
afterAll(() => fixture.close())

const ask = async (node: TestNode, query: string): Promise<FeedReply & { list: FeedEntry[] }> => {
  const { status, body } = await node.get(`/feed?${query}`)
  expect(status).toBe(200)
  const reply = body as unknown as FeedReply
  const asked = Number(new URLSearchParams(query).get('after'))
  expect(await isSignedFeed(node.reply.signingKeys, node.reply.nodeId, asked, reply)).toBe(true)
  return { ...reply, list: JSON.parse(reply.entries) }
}

test('pages follow each other up to the desired sequence, each signed for this node', async () => {
  const first = await ask(east, 'epoch=1&after=0&schema=2&limit=2')
  const second = await ask(east, `epoch=1&after=${first.after}&schema=2&limit=2`)
  const third = await ask(east, `epoch=1&after=${second.after}&schema=2&limit=2`)
  expect([first.after, second.after, third.after, third.desired]).toEqual([2, 4, 5, 5])
  const all = [...first.list, ...second.list, ...third.list]
  expect(all.map((entry) => entry.sequence)).toEqual([1, 2, 3, 4, 5])
  expect(all[0]).toEqual({
    sequence: 1,
    site: sites[0]!.siteId,
    revision: 1,
    artefact: sites[0]!.artefact,
    hosts: ['east-1.example'],
  })
  const end = await ask(east, 'epoch=1&after=5&schema=2')
  expect([end.list, end.after, end.desired]).toEqual([[], 5, 5])
})

test('a changed page, another node’s page and one signed with an unknown key do not verify', async () => {
  const page = await ask(east, 'epoch=1&after=0&schema=2')
  const { reply } = east
  const verify = (changes: Partial<FeedReply>, node = reply.nodeId, asked = 0) =>
    isSignedFeed(reply.signingKeys, node, asked, { ...page, ...changes })
  expect(await verify({})).toBe(true)
  expect(await verify({ entries: page.entries.replace('"revision":1', '"revision":2') })).toBe(false)
  expect(await verify({ desired: 6 })).toBe(false)
  expect(await verify({ epoch: 2 })).toBe(false)
  expect(await verify({ signingKeys: [{ id: 'mine', publicKey: 'AAAA' }] })).toBe(false)
  expect(await verify({}, west.reply.nodeId)).toBe(false)
  // A genuine page must not verify as the answer to another request.
  expect(await verify({}, reply.nodeId, 1)).toBe(false)
})

test('a node never passes the desired sequence of its group', async () => {
  await fixture.asSystem((db) =>
    db.updateTable('feeds').set({ desired: 3 }).where('groupId', '=', fixture.east.groupId).execute(),
  )
  const page = await ask(east, 'epoch=1&after=0&schema=2')
  expect([page.list.length, page.after, page.desired]).toEqual([3, 3, 3])
  await fixture.asSystem((db) =>
    db.updateTable('feeds').set({ desired: 5 }).where('groupId', '=', fixture.east.groupId).execute(),
  )
})

test('a node with another epoch gets everything, to compare', async () => {
  const page = await ask(east, 'epoch=7&after=4&schema=2')
  expect([page.epoch, page.list.length]).toEqual([1, 5])
})

test('an artefact that needs a feature a node lacks is withheld from it with the reason, not from others', async () => {
  const { siteId } = await fixture.asSystem(async (db) => {
    const made = await publish(db, fixture, fixture.west.groupId, 'protected')
    const { artefact } = await db
      .selectFrom('feedEntries')
      .select('artefact')
      .where('siteId', '=', made.siteId)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('artefactRequires')
      .values([
        { artefact: artefact!, feature: 'bodyRules' },
        { artefact: artefact!, feature: 'magic' },
      ])
      .execute()
    return made
  })
  const entryFor = async (can: string) =>
    (await ask(west, `epoch=1&after=0&schema=2${can}`)).list.find(({ site }) => site === siteId)!
  expect(await entryFor('&can=bodyRules,lua')).toMatchObject({
    artefact: null,
    ineligible: 'needs a newer node: magic',
  })
  expect(await entryFor('')).toMatchObject({ ineligible: 'needs a newer node: bodyRules, magic' })
  const able = await entryFor('&can=magic,bodyRules')
  expect(able.ineligible).toBeUndefined()
  expect(able.artefact).toMatch(/^[0-9a-f]{64}$/)
})

test('parameters out of range are rejected at their field', async () => {
  const wrong = [
    'epoch=1&after=-1&schema=2',
    'epoch=1&after=0&schema=9',
    'epoch=1&after=0&schema=2&limit=1001',
    'schema=2',
  ]
  for (const query of wrong) expect((await east.get(`/feed?${query}`)).body.code).toBe(101003)
})

test('a node gets the objects of its own group, complete', async () => {
  const { artefact, part } = sites[0]!
  const { body } = await east.post('/objects', { hashes: [artefact, part], schema: 2 })
  const objects = (body as { objects: Record<string, string> }).objects
  expect(Buffer.from(objects[artefact]!, 'base64').toString()).toBe('{"artefact":"east-1","revision":1}')
  expect(Buffer.from(objects[part]!, 'base64').toString()).toBe('{"part":"east-1","revision":1}')
})

test('a node that accepts zstd gets the same answer in a fraction of the bytes', async () => {
  const words = 'a page of pointers says the same words again and again '.repeat(400)
  const { artefact, part } = await fixture.asSystem((db) => publish(db, fixture, fixture.east.groupId, words))
  const question = Buffer.from(JSON.stringify({ hashes: [artefact, part], schema: 2 }))
  const type = { 'content-type': 'application/json' }
  const plain = await east.send('/objects', question, type)
  const packed = await east.send('/objects', question, { ...type, 'accept-encoding': 'zstd' })
  expect(packed.body).toEqual(plain.body)
  expect(packed.bytes).toBeLessThan(plain.bytes / 10)
})

test('another group’s objects are absent, as if they did not exist, and the attempt is a security event', async () => {
  const unknown = 'f'.repeat(64)
  const hashes = [westSite.artefact, westSite.part, unknown, sites[1]!.artefact]
  const before = fixture.nodeApi.metrics.securityEvents
  const { status, body } = await east.post('/objects', { hashes, schema: 2 })
  expect(status).toBe(200)
  expect(Object.keys((body as { objects: object }).objects)).toEqual([sites[1]!.artefact])
  expect(fixture.nodeApi.metrics.securityEvents).toBe(before + 1)
  const event = fixture.lines.find((line) => line.security === 'foreign objects')
  expect(event).toMatchObject({
    nodeId: east.reply.nodeId,
    hashes: expect.arrayContaining([westSite.artefact, westSite.part]),
  })
})

const given = async (node: TestNode, ...hashes: string[]) =>
  Object.keys((await node.post('/objects', { hashes, schema: 2 })).body.objects as object).sort()
const publishAgain = (known: { siteId: number; revision: number }) =>
  fixture.asSystem((db) => publish(db, fixture, fixture.east.groupId, 'east-5', known))

test('objects of a served page remain available after newer revisions, until the next page is served', async () => {
  const first = sites[4]!
  await ask(east, 'epoch=1&after=0&schema=2')
  const second = await publishAgain(first)
  const third = await publishAgain(second)
  sites[4] = third
  const all = [first, second, third].flatMap(({ artefact, part }) => [artefact, part])
  const before = fixture.nodeApi.metrics.securityEvents
  expect(await given(east, ...all)).toEqual([first.artefact, first.part, third.artefact, third.part].sort())
  // This node was not served a page with them, and it is in another group.
  expect(await given(west, first.artefact, first.part, second.artefact)).toEqual([])
  await ask(east, 'epoch=1&after=0&schema=2')
  expect(await given(east, ...all)).toEqual([third.artefact, third.part].sort())
  expect(fixture.nodeApi.metrics.securityEvents).toBe(before)
})

test('more hashes than a request may have are rejected', async () => {
  const hashes = Array.from({ length: 501 }, (_, i) => i.toString(16).padStart(64, '0'))
  expect((await east.post('/objects', { hashes, schema: 2 })).status).toBe(400)
  expect((await east.post('/objects', { hashes: Array(1000).fill('x'.repeat(2000)), schema: 2 })).status).toBe(413)
})

test('a secret of a site and the group’s key are sealed so that only this node can open them', async () => {
  const siteId = sites[0]!.siteId
  await fixture.asSystem((db) =>
    writeSiteSecret(
      db,
      fixture.services.vault,
      { id: siteId, tenantId: fixture.customer },
      'originCredential',
      Buffer.from('s3cret'),
    ),
  )
  const secrets = [
    { site: siteId, ref: 'originCredential@1' },
    { site: siteId, ref: 'originCredential@2' },
    { site: 0, ref: 'groupKey@1' },
  ]
  const { status, body } = await east.post('/secrets', { secrets })
  expect(status).toBe(200)
  const sealed = (body as { secrets: Record<string, string> }).secrets
  expect(Object.keys(sealed).toSorted()).toEqual(['0/groupKey@1', `${siteId}/originCredential@1`])
  const context = `${siteId}/originCredential@1`
  expect((await openByHand(sealed[context]!, east.sealKey, context)).toString()).toBe('s3cret')
  expect(await openByHand(sealed['0/groupKey@1']!, east.sealKey, '0/groupKey@1')).toHaveLength(32)
  await expect(openByHand(sealed[context]!, west.sealKey, context)).rejects.toThrow()
  await expect(openByHand(sealed[context]!, east.sealKey, `${siteId}/originCredential@2`)).rejects.toThrow()
  expect(JSON.stringify(fixture.lines)).not.toContain('s3cret')
})

test('a request for a secret of another group’s site is rejected, and is a security event', async () => {
  const secrets = [{ site: westSite.siteId, ref: 'originCredential@1' }]
  const { status, body } = await east.post('/secrets', { secrets })
  expect([status, body.code]).toEqual([403, 101018])
  expect(fixture.lines.find((line) => line.security === 'foreign secrets')).toMatchObject({ sites: [westSite.siteId] })
})

test('two groups have two different keys', async () => {
  const secrets = [{ site: 0, ref: 'groupKey@1' }]
  const [ofEast, ofWest] = await Promise.all(
    [east, west].map(async (node) => {
      const { body } = await node.post('/secrets', { secrets })
      const sealed = (body as { secrets: Record<string, string> }).secrets['0/groupKey@1']!
      return (await openByHand(sealed, node.sealKey, '0/groupKey@1')).toString('hex')
    }),
  )
  expect(ofEast).not.toBe(ofWest)
})

test('the secrets and objects of a site that left the group are no longer available', async () => {
  const gone = sites[1]!
  const told = await ask(east, 'epoch=1&after=0&schema=2')
  expect(told.list.find((entry) => entry.site === gone.siteId)?.artefact).toBe(gone.artefact)
  await fixture.asSystem((db) =>
    db.updateTable('feedEntries').set({ artefact: null }).where('siteId', '=', gone.siteId).execute(),
  )
  const answer = await east.post('/secrets', { secrets: [{ site: gone.siteId, ref: 'originCredential@1' }] })
  expect(answer).toMatchObject({ status: 200, body: { secrets: {} } })
  const objects = await east.post('/objects', { hashes: [gone.artefact], schema: 2 })
  expect(objects.body).toEqual({ objects: {} })
  const page = await ask(east, 'epoch=1&after=0&schema=2')
  expect(page.list.find((entry) => entry.site === gone.siteId)?.artefact).toBeNull()
})
