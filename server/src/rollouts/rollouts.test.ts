/**
 * A change of many sites goes to one node, to a tenth, to all; and is rolled back automatically if a node is worse off.
 */
import { latencySteps, type Vitals } from '@breakwater/contract/edge/node-api.ts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { watchPace } from '../../../tests/harness/pace.ts'
import { publishStatus } from '../nodes/publish-status.ts'
import { ReportPace } from '../nodes/report-pace.ts'
import { type NodeApiFixture, publish, startNodeApiFixture } from '../nodes/testing/node-api-fixture.ts'
import { enrolNode, type TestNode } from '../nodes/testing/test-node.ts'
import { parts } from '../parts.ts'
import { publishMany, sitesAtOnce } from '../publish/change-many.ts'
import { publishSite } from '../publish/change-site.ts'
import { pace } from './advance.ts'

const about = { actor: 'somebody', action: 'site.module.customHeader.headers.create', summary: 'module 1' }
const publisher = { parts, allowOrigins: [] }
const nodesCount = 12

let fixture: NodeApiFixture
let stopHearing: () => void
let agents: Agent[]
let siteIds: number[]

/** A node that acts like an agent: takes the feed, and reports its health. */
class Agent {
  readonly held = new Map<number, string | null>()
  refuses: string | undefined
  vitals: Vitals = { requests: 0, failures: 0, errors: 0, crashes: 0, latency: latencySteps.map(() => 0).concat(0) }
  /** Failures added by a second of traffic. */
  failuresOf100 = 0
  private readonly exceptions = new Map<number, object>()
  private after = 0
  private readonly node: TestNode
  constructor(node: TestNode) {
    this.node = node
  }

  async turn(): Promise<void> {
    const reply = (await this.node.get(`/feed?epoch=1&after=${this.after}&schema=2&limit=1000`)).body
    const entries = JSON.parse(String(reply.entries)) as { site: number; revision: number; artefact: string | null }[]
    for (const { site, revision, artefact } of entries) {
      this.exceptions.delete(site)
      if (this.refuses !== undefined && artefact !== this.held.get(site))
        this.exceptions.set(site, { site, revision, reason: this.refuses })
      else this.held.set(site, artefact)
    }
    this.after = Number(reply.after)
    this.vitals.requests += 100
    this.vitals.failures += this.failuresOf100
    this.vitals.latency[3]! += 100
    await this.report([...this.exceptions.values()])
  }

  private async report(exceptions: object[]): Promise<void> {
    const health = {
      ...{ version: '0', nginxVersion: '1', schemas: [2], capabilities: [], cpuCount: 1, load1: 0, cpuBusy: 0 },
      ...{ memoryBytes: 1, memoryUsedBytes: 1, diskBytes: 1, diskUsedBytes: 1, uptimeSeconds: 1, requestsPerSecond: 1 },
      ...{ connections: 0, networkInBytesPerSecond: 0, networkOutBytesPerSecond: 0, droppedRows: 0, spoolBytes: 0 },
      vitals: this.vitals,
    }
    const answer = await this.node.post('/report', { epoch: 1, watermark: this.after, exceptions, health })
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  }
}

/** The product's own pace, and a faster one for tests. Nodes have as long as a busy machine needs. */
const own = { ...pace }
const quick = { canaryMs: 2500, tenthMs: 1500, appliedMs: 60_000, preparedMs: 60_000 }
/** Keeps a roll-out at its first node until the next test, or until `goOn`: checking it may take long. */
const stay = () => Object.assign(pace, { canaryMs: 600_000 })
const goOn = () => Object.assign(pace, quick)

const turn = () => Promise.all(agents.map((agent) => agent.turn()))

async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  for (const end = Date.now() + ms; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`never saw: ${what}`)
    await turn()
  }
}

/** Publishes sites as a module's change does. */
const change = (ids: number[]) =>
  fixture.asSystem(async (db) => {
    const sites = await db
      .selectFrom('sites')
      .select(['id', 'tenantId', 'productId', 'name', 'label', 'status', 'revision'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    await publishMany(db, sites, publisher, about)
  })

const changeOne = (id: number) =>
  fixture.asSystem(async (db) => {
    const site = await db
      .selectFrom('sites')
      .select(['id', 'tenantId', 'productId', 'name', 'label', 'status', 'revision'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await publishSite(db, site, publisher, about)
  })

const newest = () =>
  fixture.asSystem((db) =>
    db.selectFrom('rollouts').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow(),
  )
const status = (siteId: number) => fixture.asSystem((db) => publishStatus(db, siteId))
/** How many agents hold another artefact of a site than before. */
const changed = (site: number, was: Map<Agent, string | null | undefined>) =>
  agents.filter((agent) => agent.held.get(site) !== was.get(agent)).length
const held = (site: number) => new Map(agents.map((agent) => [agent, agent.held.get(site)]))

beforeAll(async () => {
  vi.spyOn(ReportPace.prototype, 'take').mockReturnValue(true)
  fixture = await startNodeApiFixture()
  stopHearing = fixture.keepNodesHeard()
  const { groupId, zoneId } = fixture.east
  agents = []
  for (let i = 0; i < nodesCount; i++) {
    const { token } = await fixture.token(zoneId, `node-${i}`)
    agents.push(new Agent(await enrolNode(fixture.server, fixture.authority.certificate, token)))
  }
  await fixture.asSystem((db) =>
    db.insertInto('productGroups').values({ productId: fixture.product, groupId }).execute(),
  )
  siteIds = []
  for (let i = 0; i < sitesAtOnce + 2; i++)
    siteIds.push((await fixture.asSystem((db) => publish(db, fixture, groupId, `shop${i}`))).siteId)
  await turn()
  for (const id of siteIds) await changeOne(id)
  await turn()
})
beforeEach(async () => {
  Object.assign(pace, quick)
  for (const agent of agents) Object.assign(agent, { refuses: undefined, failuresOf100: 0 })
  await turn()
})
afterAll(async () => {
  Object.assign(pace, own)
  vi.restoreAllMocks()
  stopHearing()
  await fixture.close()
})

test('a good change is on one node, then on a tenth, then on all', async () => {
  const [site] = siteIds as [number]
  const was = held(site)
  stay()
  await change(siteIds)
  await turn()
  expect(changed(site, was)).toBe(1)
  expect(await status(site)).toMatchObject({ live: 0, rollout: { step: 'canary', state: 'running' } })
  goOn()
  const seen = new Set<number>()
  await until('all have it', async () => {
    const count = changed(site, was)
    // Counted before the state is read: while the roll-out is running, no node beyond the step has it.
    if ((await newest()).state === 'running') seen.add(count)
    return count === nodesCount
  })
  expect([...seen].filter((count) => count > 2)).toEqual([])
  expect((await newest()).nodes).toHaveLength(2)
  expect(await newest()).toMatchObject({ state: 'done', step: 'all', sites: siteIds.length, reason: '' })
  // Nodes that had it before get it once more, and may not have reported it yet.
  await until('all said so', async () => (await status(site)).live === nodesCount)
  expect(await status(site)).toMatchObject({ live: nodesCount, rollout: null })
})

test('a change that the first node refuses goes no further and is rolled back, with its reason', async () => {
  const [site] = siteIds as [number]
  const was = held(site)
  agents[0]!.refuses = 'no such rule'
  const [began, pace] = [Date.now(), watchPace()]
  await change(siteIds)
  await until('it is taken back', async () => (await newest()).state === 'returned')
  await turn()
  expect(Date.now() - began).toBeLessThan(pace.within(60_000))
  pace.stop()
  expect(changed(site, was)).toBe(0)
  expect(await newest()).toMatchObject({
    step: 'canary',
    reason: `node-0: ${siteIds.length} sites refused: no such rule`,
  })
  expect((await status(site)).rollout).toMatchObject({
    state: 'returned',
    reason: expect.stringContaining('no such rule'),
  })
})

test('a change after which the first node answers with errors is rolled back to what it had', async () => {
  const [site] = siteIds as [number]
  const was = held(site)
  stay()
  await change(siteIds)
  await turn()
  expect(changed(site, was)).toBe(1)
  agents[0]!.failuresOf100 = 30
  await until('it is taken back', async () => (await newest()).state === 'returned')
  agents[0]!.failuresOf100 = 0
  await turn()
  expect(changed(site, was)).toBe(0)
  expect((await newest()).reason).toMatch(/node-0: \d+\.\d % of answers are 5xx, 0\.0 % before/)
})

test('a node whose workers crash causes a rollback too', async () => {
  stay()
  const site = siteIds[0]!
  const was = held(site)
  await change(siteIds)
  await until('the first node has it', () => changed(site, was) === 1)
  agents[0]!.vitals.crashes += 1
  await until('it is taken back', async () => (await newest()).state === 'returned')
  expect((await newest()).reason).toBe('node-0: 1 worker processes crashed')
})

test('a change of one site reaches all nodes at once during a roll-out, and replaces its entry there', async () => {
  const [first, second] = siteIds as [number, number]
  const before = { first: held(first), second: held(second) }
  stay()
  await change(siteIds)
  await turn()
  expect(changed(second, before.second)).toBe(1)
  await changeOne(first)
  await turn()
  expect(changed(first, before.first)).toBe(nodesCount)
  // It did not wait for the other roll-out, which has not advanced meanwhile.
  expect(changed(second, before.second)).toBeLessThan(nodesCount)
  expect((await status(first)).rollout).toBeNull()
  goOn()
  await until('the others follow', () => changed(second, before.second) === nodesCount)
})

test('a change of few sites, or in a group without a node to try it on, is not rolled out in steps', async () => {
  const before = await newest()
  const site = siteIds[0]!
  const was = held(site)
  await change(siteIds.slice(0, sitesAtOnce))
  await turn()
  expect(changed(site, was)).toBe(nodesCount)
  expect((await newest()).id).toBe(before.id)
})

test('a change whose only node is removed meanwhile is rolled back', async () => {
  await change(siteIds)
  const [canary] = (await newest()).nodes
  const revoke = (revokedAt: Date | null) =>
    fixture.asSystem((db) => db.updateTable('nodes').set({ revokedAt }).where('id', '=', canary!).execute())
  await revoke(new Date())
  const others = agents.splice(0, 1)
  await until('it is taken back', async () => (await newest()).state === 'returned')
  expect((await newest()).reason).toBe('its nodes were removed')
  agents.unshift(...others)
  await revoke(null)
})
