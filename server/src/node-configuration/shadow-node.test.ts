/** A rule set that one node tries first: when that node goes out of use, another takes over at once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, callerOf, startApi } from '../nodes/testing/api.ts'
import { makeZone, type NodeApiFixture, sha256, startNodeApiFixture } from '../nodes/testing/node-api-fixture.ts'
import { enrolNode } from '../nodes/testing/test-node.ts'

let fixture: NodeApiFixture
let api: Api
let operator: ReturnType<typeof callerOf>
let ruleSetId: number

beforeAll(async () => {
  fixture = await startNodeApiFixture()
  api = await startApi(fixture)
  operator = callerOf(fixture.operator, 'client')
  const part = Buffer.from('{"kind":"wafRules"}')
  const row = {
    operatorId: fixture.operator,
    name: 'tried',
    fileName: 'tried.zip',
    actor: '',
    texts: '[]',
    trial: '{}',
  }
  const added = await fixture.asSystem((db) =>
    db
      .insertInto('wafRuleSets')
      .values({ ...row, part, hash: sha256(part) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  ruleSetId = added.id
})
afterAll(async () => {
  await api?.close()
  await fixture?.close()
})

async function zoneOf(name: string) {
  const { zoneId } = await fixture.asSystem((db) => makeZone(db, fixture.operator, name))
  const enrol = async (node: string) => {
    const { token } = await fixture.token(zoneId, node)
    return (await enrolNode(fixture.server, fixture.authority.certificate, token)).reply.nodeId
  }
  const must = async (method: 'PUT' | 'PATCH' | 'DELETE' | 'POST', path: string, body: object) => {
    const { status, body: answer } = await api.call(operator, method, path, body)
    expect(status, JSON.stringify(answer)).toBe(200)
  }
  const last = () =>
    fixture.asSystem(async (db) => {
      const { body, revision, action, actor } = await db
        .selectFrom('zoneRevisions')
        .select(['body', 'revision', 'action', 'actor'])
        .where('zoneId', '=', zoneId)
        .orderBy('revision', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      const { settings } = body as { settings: { wafShadow?: { node?: number } } }
      return { node: settings.wafShadow?.node, revision, action, actor }
    })
  return {
    ...{ zoneId, enrol, last },
    shadow: (more = {}) => must('PUT', `/client/zone/${zoneId}/setting/wafShadow`, { ruleSetId, percent: 5, ...more }),
    status: (ids: number[], status: 0 | 1) => must('PATCH', '/client/node/status', { ids, status }),
    remove: (id: number) => must('DELETE', `/client/zone/${zoneId}/node`, { id }),
  }
}

test('if the node is disabled or removed, the next one takes over in the same transaction', async () => {
  const { enrol, last, shadow, status, remove, zoneId } = await zoneOf('follow')
  const [first, second, third] = [await enrol('one'), await enrol('two'), await enrol('three')]
  await shadow()
  expect(await last()).toMatchObject({ node: first, revision: 1 })
  // Other nodes may come and go: nothing is published.
  await status([second], 0)
  expect((await last()).revision).toBe(1)
  await status([first], 0)
  expect(await last()).toMatchObject({
    node: third,
    revision: 2,
    action: 'client.node.status',
    actor: operator.accountName,
  })
  // A node that comes back does not take over from the current one, nor does removing the former one change anything.
  await status([first, second], 1)
  await status([first], 0)
  await remove(first)
  expect((await last()).revision).toBe(2)
  const told = await api.call(operator, 'GET', `/client/zone/${zoneId}/configuration`)
  expect((told.body.data as { revision: number }).revision).toBe(2)

  // The last one has no successor until another node comes into use.
  await status([second, third], 0)
  expect(await last()).toMatchObject({ node: 0, revision: 3 })
  await remove(third)
  expect((await last()).revision).toBe(3)
  const fourth = await enrol('four')
  expect(await last()).toMatchObject({ node: fourth, revision: 4, action: 'client.nodes.initialize', actor: 'four' })
})

test('a node outside of any group can be removed or enabled, and takes over once it joins a group', async () => {
  const { enrol, last, shadow, status, remove, zoneId } = await zoneOf('waiting')
  const only = await enrol('only')
  const waiting = await enrol('waiting')
  await fixture.asSystem((db) => db.updateTable('nodes').set({ groupId: null }).where('id', '=', waiting).execute())
  await shadow()
  expect(await last()).toMatchObject({ node: only, revision: 1 })
  await status([only], 0)
  expect(await last()).toMatchObject({ node: 0, revision: 2 })
  const { status: code } = await api.call(operator, 'POST', '/client/nodes/initialize', {
    ids: [waiting],
    zoneID: zoneId,
  })
  expect(code).toBe(200)
  expect(await last()).toMatchObject({ node: waiting, revision: 3, action: 'client.nodes.initialize' })
  await remove(only)
  expect((await last()).revision).toBe(3)
})

test('on all nodes, or without a rule set in shadow, nodes that come and go change nothing', async () => {
  const { enrol, last, shadow, status } = await zoneOf('all')
  const node = await enrol('every')
  await shadow({ nodes: 'all' })
  await status([node], 0)
  expect(await last()).toMatchObject({ node: undefined, revision: 1 })
  await shadow({ ruleSetId: 0 })
  await status([node], 1)
  expect(await last()).toMatchObject({ node: undefined, revision: 2 })
})

test('two nodes disabled at the same time leave one successor, and no call deadlocks', async () => {
  const { enrol, last, shadow, status } = await zoneOf('crowd')
  const nodes: number[] = []
  for (const name of ['a', 'b', 'c', 'd']) nodes.push(await enrol(name))
  await shadow()
  await Promise.all(nodes.slice(0, 3).map((id) => status([id], 0)))
  expect((await last()).node).toBe(nodes[3])
})
