/**
 * Zone settings reach its nodes in parallel to the sites: signed, by hash, node by node, and rolled back if a node
 * refuses.
 */
import { X509Certificate } from 'node:crypto'
import { latencySteps } from '@breakwater/contract/edge/node-api.ts'
import type { ConfigurationStatus } from '@breakwater/contract/nodes/zone-configuration.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeAuthority } from '../certificates/testing/make-certificate.ts'
import { ReportPace } from '../nodes/report-pace.ts'
import { type Api, callerOf, startApi } from '../nodes/testing/api.ts'
import { makeZone, type NodeApiFixture, startNodeApiFixture } from '../nodes/testing/node-api-fixture.ts'
import { enrolNode, type TestNode } from '../nodes/testing/test-node.ts'
import { pace } from '../rollouts/advance.ts'

const feature = 'nodeConfiguration'
/** The product's own pace, and a faster one for tests. Nodes have as long as a busy machine needs. */
const own = { ...pace }
const quick = { canaryMs: 1000, tenthMs: 1000, appliedMs: 60_000, preparedMs: 600_000 }

let fixture: NodeApiFixture
let stopHearing: () => void
let api: Api
let operator: ReturnType<typeof callerOf>
let stranger: ReturnType<typeof callerOf>

/** A node that applies the configuration as an agent does. */
class Agent {
  held: Record<string, unknown> | null | undefined
  refuses: string | undefined
  can = [feature]
  /** The revision that it reports as active in all of its workers; undefined for an older agent. */
  atWork: number | undefined
  private after = 0
  private readonly exceptions = new Map<number, object>()
  private readonly node: TestNode
  constructor(node: TestNode) {
    this.node = node
  }

  async turn(): Promise<void> {
    const path = `/feed?epoch=1&after=${this.after}&schema=2&limit=1000&can=${this.can.join()}`
    const reply = (await this.node.get(path)).body
    type Entry = { site: number; revision: number; artefact: string | null; ineligible?: string }
    for (const { site, revision, artefact, ineligible } of JSON.parse(String(reply.entries)) as Entry[]) {
      this.exceptions.delete(site)
      const reason = ineligible ?? (artefact === null ? undefined : this.refuses)
      if (reason !== undefined) this.exceptions.set(site, { site, revision, reason })
      else this.held = artefact === null ? null : await this.fetch(artefact)
    }
    this.after = Number(reply.after)
    await this.report()
  }

  private async fetch(hash: string): Promise<Record<string, unknown>> {
    const { body } = await this.node.post('/objects', { hashes: [hash], schema: 2 })
    return JSON.parse(Buffer.from((body.objects as Record<string, string>)[hash]!, 'base64').toString('utf8'))
  }

  private async report(): Promise<void> {
    const vitals = { requests: 0, failures: 0, errors: 0, crashes: 0, latency: latencySteps.map(() => 0).concat(0) }
    const health = {
      ...{ version: '0', nginxVersion: '1', schemas: [2], capabilities: this.can, cpuCount: 1, load1: 0, cpuBusy: 0 },
      ...{ memoryBytes: 1, memoryUsedBytes: 1, diskBytes: 1, diskUsedBytes: 1, uptimeSeconds: 1, requestsPerSecond: 1 },
      ...{ connections: 0, networkInBytesPerSecond: 0, networkOutBytesPerSecond: 0, droppedRows: 0, spoolBytes: 0 },
      ...{ vitals, configuration: this.atWork },
    }
    const told = { epoch: 1, watermark: this.after, exceptions: [...this.exceptions.values()], health }
    const answer = await this.node.post('/report', told)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  }
}

beforeAll(async () => {
  vi.spyOn(ReportPace.prototype, 'take').mockReturnValue(true)
  Object.assign(pace, quick)
  fixture = await startNodeApiFixture()
  stopHearing = fixture.keepNodesHeard()
  api = await startApi(fixture)
  operator = callerOf(fixture.operator, 'client')
  const other = await fixture.asSystem((db) =>
    db.insertInto('tenants').values({ kind: 'operator', name: 'other' }).returning('id').executeTakeFirstOrThrow(),
  )
  stranger = callerOf(other.id, 'client')
})
afterAll(async () => {
  Object.assign(pace, own)
  vi.restoreAllMocks()
  stopHearing()
  await api.close()
  await fixture.close()
})

type Zone = { zoneId: number; groupId: number; agents: Agent[] }

/** A new zone with this many nodes, all of which have reported. */
async function zoneWith(name: string, count: number): Promise<Zone> {
  const { zoneId, groupId } = await fixture.asSystem((db) => makeZone(db, fixture.operator, name))
  const agents: Agent[] = []
  for (let i = 0; i < count; i++) {
    const { token } = await fixture.token(zoneId, `${name}-${i}`)
    agents.push(new Agent(await enrolNode(fixture.server, fixture.authority.certificate, token)))
  }
  const zone = { zoneId, groupId, agents }
  await turn(zone)
  return zone
}

const turn = ({ agents }: Zone) => Promise.all(agents.map((agent) => agent.turn()))
const place = ({ zoneId }: Zone, rest: string) => `/client/zone/${zoneId}/${rest}`
const set = async (zone: Zone, rest: string, body: unknown, method: 'PUT' | 'POST' | 'DELETE' = 'PUT') => {
  const answer = await api.call(operator, method, place(zone, rest), body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
}
const status = async (zone: Zone): Promise<ConfigurationStatus> =>
  (await api.call(operator, 'GET', place(zone, 'configuration'))).body.data as ConfigurationStatus

async function until(what: string, zone: Zone, holds: (now: ConfigurationStatus) => boolean): Promise<void> {
  let now = await status(zone)
  for (const end = Date.now() + 60_000; !holds(now); now = await status(zone)) {
    if (Date.now() > end) throw new Error(`never saw: ${what}; ${JSON.stringify(now)}`)
    await turn(zone)
  }
}
const states = (now: ConfigurationStatus) => now.nodes.map(({ state }) => state)

test('a setting reaches one node first and then all; other zones’ nodes do not get it', async () => {
  const zone = await zoneWith('staged', 3)
  const beside = await zoneWith('beside', 1)
  expect(await status(zone)).toMatchObject({ revision: 0, rollouts: [] })
  // Until it has been observed long enough, only the first node has it.
  pace.canaryMs = 600_000
  await set(zone, 'setting/http2', { enable: false })
  await turn(zone)
  expect(zone.agents.map(({ held }) => held?.http2)).toEqual([false, undefined, undefined])
  expect((await status(zone)).rollouts).toMatchObject([{ state: 'running', step: 'canary' }])
  Object.assign(pace, quick)
  await until('all nodes', zone, (now) => states(now).join() === 'live,live,live')
  expect(zone.agents.map(({ held }) => held)).toEqual(
    zone.agents.map(() => expect.objectContaining({ revision: 1, zone: zone.zoneId, http2: false, ports: [] })),
  )
  await turn(beside)
  expect(beside.agents[0]!.held).toBeUndefined()
  const { body } = await api.call(operator, 'GET', place(zone, 'setting'))
  expect(body.data).toMatchObject({ http2: false, http3: false, forceSSLRedirectCode: 301 })
})

test('a step is judged once the node has it fully active, and rolled back if it never becomes active', async () => {
  const zone = await zoneWith('prepared', 2)
  const [first] = zone.agents as [Agent, Agent]
  first.atWork = 0
  await set(zone, 'setting/http2', { enable: false })
  await until('the first node has applied it', zone, (now) => states(now)[0] === 'live')
  const { since } = (await status(zone)).rollouts[0]!
  const isPast = () => Date.now() > new Date(since).getTime() + 2 * quick.canaryMs + 2000
  await until('the time of the step and more', zone, isPast)
  expect((await status(zone)).rollouts).toMatchObject([{ state: 'running', step: 'canary' }])
  expect(zone.agents[1]!.held).toBeUndefined()
  first.atWork = 1
  await until('all nodes', zone, (now) => states(now).join() === 'live,live')

  pace.preparedMs = 2000
  await set(zone, 'setting/http2', { enable: true })
  await until('it is taken back', zone, (now) => now.rollouts[0]?.state === 'returned')
  expect((await status(zone)).rollouts).toMatchObject([{ step: 'canary', reason: 'not at work within 2 s' }])
  await turn(zone)
  expect(zone.agents.map(({ held }) => held?.http2)).toEqual([false, false])
  Object.assign(pace, quick)
})

test('what a node refuses is rolled back automatically, with its reason; the other nodes never had it', async () => {
  const zone = await zoneWith('refusing', 2)
  zone.agents[0]!.refuses = 'nginx: bind() to 0.0.0.0:8500 failed'
  await set(zone, 'setting/ports', { port: 8500, tls: true }, 'POST')
  await until('the way back', zone, ({ rollouts }) => rollouts[0]?.state === 'returned')
  expect((await status(zone)).rollouts[0]!.reason).toBe('refusing-0: refused: nginx: bind() to 0.0.0.0:8500 failed')
  await turn(zone)
  expect(zone.agents.map(({ held }) => held)).toEqual([null, null])
  // The saved setting stays, to be corrected.
  const { body } = await api.call(operator, 'GET', place(zone, 'setting/ports'))
  expect(body.data).toMatchObject([{ port: 8500, tls: true, portType: 7, sites: 0 }])
  zone.agents[0]!.refuses = undefined
  const [{ id }] = body.data as [{ id: number }]
  await set(zone, 'setting/port', { id, port: 8501, portType: 7, tls: true })
  await until('all nodes', zone, (now) => states(now).join() === 'live,live')
  expect(zone.agents[1]!.held).toMatchObject({ revision: 2, ports: [{ port: 8501, tls: true }] })
  expect((await status(zone)).rollouts).toEqual([])
})

test('a node with an older agent keeps its configuration, is shown as unable, and holds up no other', async () => {
  const zone = await zoneWith('older', 2)
  zone.agents[0]!.can = []
  await turn(zone)
  await set(zone, 'setting/http2', { enable: false })
  await until('the newer node', zone, (now) => states(now)[1] === 'live')
  await until('the older node', zone, (now) => states(now)[0] === 'unable')
  expect((await status(zone)).nodes[0]!.reason).toBe('needs a newer node: nodeConfiguration')
  expect(zone.agents[0]!.held).toBeUndefined()
})

test('a newer setting is not sent to nodes that do not support it, and they hold up no other', async () => {
  const zone = await zoneWith('limited', 2)
  zone.agents[1]!.can = [feature, 'tlsLimit', 'zoneHttp3', 'http3']
  await turn(zone)
  await set(zone, 'setting/tlsLimitCount', { tlsLimitCount: 20 })
  await until('the newer node', zone, (now) => states(now)[1] === 'live')
  await until('the older node', zone, (now) => states(now)[0] === 'unable')
  expect(zone.agents.map(({ held }) => held?.tlsLimitCount)).toEqual([undefined, 20])
  expect((await status(zone)).nodes[0]!.reason).toBe('needs a newer node: tlsLimit')
  const { body } = await api.call(operator, 'GET', place(zone, 'setting'))
  expect(body.data).toMatchObject({ tlsLimitCount: 20 })
  await set(zone, 'setting/tlsLimitCount', { tlsLimitCount: 0 })
  await until('all nodes', zone, (now) => states(now).join() === 'live,live')
  await set(zone, 'setting/http3', { enable: true })
  await until('HTTP/3 on the newer node', zone, () => zone.agents[1]!.held?.http3 === true)
  expect((await status(zone)).nodes.map(({ canHttp3 }) => canHttp3)).toEqual([false, true])
  expect((await api.call(operator, 'GET', place(zone, 'setting'))).body.data).toMatchObject({ http3: true })
  await set(zone, 'setting/http3', { enable: false })
  await until('all nodes', zone, (now) => states(now).join() === 'live,live')
})

test('a zone’s firewall reaches its nodes, and addresses are removed from the list singly or all at once', async () => {
  const zone = await zoneWith('guarded', 1)
  zone.agents[0]!.can = [feature, 'tlsLimit', 'zoneFirewall', 'zoneBans', 'verifiedBots']
  await turn(zone)
  const firewall = async () => (await api.call(operator, 'GET', place(zone, 'setting/firewall'))).body.data
  const held = () => zone.agents[0]!.held
  expect(await firewall()).toMatchObject({ ipset: { enable: false, ips: [] }, anticc: { enable: false } })
  const ips = ['192.0.2.1', '192.0.2.7/24', '2001:db8::/64']
  await set(zone, 'setting/ipset', { enable: true, ips, basedOn: { enable: false, ips: [] } })
  const late = { enable: true, ips: ['192.0.2.9'], basedOn: { enable: false, ips: [] } }
  expect((await api.call(operator, 'PUT', place(zone, 'setting/ipset'), late)).status).toBe(409)
  await set(zone, 'setting/anticc', { enable: true, seconds: 10, times: 30, blockType: 2 })
  await set(zone, 'setting/invalidDomainLimitCount', { invalidDomainLimitCount: 9 })
  await until('all of it', zone, () => held()?.invalidDomainLimitCount === 9)
  expect(held()).toMatchObject({ anticc: { seconds: 10, times: 30, blockType: 2 } })
  expect(held()?.kernelBans).toBeUndefined()
  const bots = { enable: true, bots: ['ExampleBot  Bots.example.com 192.0.2.7/24'] }
  await set(zone, 'setting/verifiedBots', bots)
  for (const wrong of ['ExampleBot', 'x.y z', 'ExampleBot localhost', '-- a.example.com', 'Bot 192.0.2.0/33'])
    expect(
      (await api.call(operator, 'PUT', place(zone, 'setting/verifiedBots'), { enable: true, bots: [wrong] })).status,
    ).toBe(400)
  await until('the bots', zone, () => held()?.verifiedBots !== undefined)
  expect(held()?.verifiedBots).toEqual([
    { agent: 'ExampleBot', domains: ['bots.example.com'], networks: ['192.0.2.0/24'] },
  ])
  await set(zone, 'setting/kernelBans', { enable: false })
  await until('nothing in the kernel', zone, () => held()?.kernelBans === false)
  expect(held()?.ipset).toEqual(['192.0.2.1', '192.0.2.0/24', '2001:db8::/64'])
  expect(await firewall()).toMatchObject({ ipset: { enable: true }, invalidDomainLimitCount: 9, tlsLimitCount: 0 })
  const taken = await api.call(operator, 'DELETE', place(zone, 'setting/ipset'), { ips: ['192.0.2.1', '192.0.2.9'] })
  expect(taken.status).toBe(200)
  await until('the shorter list', zone, () => (held()?.ipset as string[] | undefined)?.length === 2)
  expect((await api.call(operator, 'POST', place(zone, 'setting/ipset/flush'))).status).toBe(200)
  expect((await api.call(operator, 'DELETE', place(zone, 'setting/anticc'))).status).toBe(200)
  await until('no list', zone, () => held()?.ipset === undefined && held()?.anticc === undefined)
  expect(await firewall()).toMatchObject({ ipset: { enable: false, ips: [] }, anticc: { enable: false } })
  const refused = await api.call(operator, 'PUT', place(zone, 'setting/ipset'), { enable: true, ips: ['nobody'] })
  expect(refused.status).toBe(400)
}, 40_000)

test('settings of one node are tried on that node', async () => {
  const zone = await zoneWith('single', 2)
  const [, second] = (await status(zone)).nodes
  const path = `/client/node/${second!.id}/setting/storage`
  const saved = await api.call(operator, 'PUT', path, { cacheBytes: 1_000_000_000, spoolBytes: 0 })
  expect(saved.status).toBe(200)
  await turn(zone)
  const nodes = { [second!.id]: { cacheBytes: 1_000_000_000, spoolBytes: 0 } }
  expect(zone.agents.map(({ held }) => held?.nodes)).toEqual([undefined, nodes])
  expect((await api.call(stranger, 'GET', path)).status).toBe(403)
  expect((await api.call(stranger, 'PUT', path, { cacheBytes: 0, spoolBytes: 0 })).status).toBe(403)
})

test('a node that joins later gets the settings, and so does a group that is created later', async () => {
  const zone = await zoneWith('later', 0)
  await set(zone, 'setting/forceSSLRedirectCode', { forceSSLRedirectCode: 308 })
  const { token } = await fixture.token(zone.zoneId)
  const agent = new Agent(await enrolNode(fixture.server, fixture.authority.certificate, token))
  await agent.turn()
  expect(agent.held).toMatchObject({ revision: 1, forceSSLRedirectCode: 308 })
})

test('saving the same settings makes no revision, and the history shows what changed each time', async () => {
  const zone = await zoneWith('history', 0)
  await set(zone, 'setting/http2', { enable: false })
  await set(zone, 'setting/http2', { enable: false })
  await set(zone, 'setting/ports', { port: 8080 }, 'POST')
  await set(zone, 'setting/http2', undefined, 'DELETE')
  const { body } = await api.call(operator, 'GET', place(zone, 'configuration/history'))
  type Entry = { revision: number; action: string; changes: { path: string; after: unknown }[] }
  expect(body.total).toBe(3)
  expect((body.data as Entry[]).map(({ revision, changes }) => [revision, changes.map(({ path }) => path)])).toEqual([
    [3, ['http2']],
    [2, ['ports/8080']],
    [1, ['http2']],
  ])
  expect((body.data as Entry[])[2]!.action).toBe('client.zone.setting.http2')
})

test('ports: no duplicates, none reserved, layer 7 only, one’s own zones only', async () => {
  const zone = await zoneWith('ports', 0)
  const add = (body: unknown, as = operator) => api.call(as, 'POST', place(zone, 'setting/ports'), body)
  const made = (await add({ port: 8080 })).body.data as { id: number }
  expect((await add({ port: 8080 })).body).toMatchObject({ code: 101025 })
  expect((await add({ port: 8081, portType: 4 })).body).toMatchObject({ code: 101023 })
  for (const port of [0, 22, 80, 443, 65_536, 80.5, '8082'])
    expect((await add({ port })).body, `${port}`).toMatchObject({ code: 101003 })
  expect((await add({ port: 8083 }, stranger)).status).toBe(403)
  const { body } = await api.call(operator, 'GET', place(zone, 'setting/ports'))
  expect(body.total).toBe(1)
  const [{ id }] = body.data as [{ id: number }]
  expect(made).toEqual({ id })
  await set(zone, 'setting/ports', { ids: [id, 999_999] }, 'DELETE')
  expect((await api.call(operator, 'GET', place(zone, 'setting/ports'))).body.total).toBe(0)
  const again = await api.call(operator, 'PUT', place(zone, 'setting/port'), { id, port: 8080, portType: 7 })
  expect(again.status).toBe(404)
})

test('origin authorities reach nodes that support them, and invalid ones are rejected at the field', async () => {
  const zone = await zoneWith('authorities', 1)
  zone.agents[0]!.can = [feature, 'originAuthorities']
  await turn(zone)
  const put = (certificates: string, as = operator) =>
    api.call(as, 'PUT', place(zone, 'setting/originAuthorities'), { certificates })
  const { root, intermediate, make } = await makeAuthority()
  const ca = `${root.trim()}\n${intermediate.trim()}`
  const [leaf, ended] = [await make(), await make({ isAuthority: true, from: -9, to: -1 })]
  for (const [text, reason] of [
    ['no PEM', 'badCertificate'],
    [`${ca}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`, 'badCertificate'],
    [`${ca}\n${leaf.certificate}`, 'noAuthority'],
    [`${ca}\n${leaf.privateKey}`, 'keyInCertificate'],
    [`${ca}\n${ended.certificate}`, 'expiredCertificate'],
    ['x'.repeat(131_073), 'charactersExceedLimit'],
  ] as const)
    expect((await put(text)).body.extra, reason).toEqual([{ field: 'certificates', reason }])
  expect((await put(ca, stranger)).status).toBe(403)
  expect((await put(`subject=CN = ca\r\n${ca}\n${root}`)).status).toBe(200)
  await until('the authorities', zone, (now) => states(now).join() === 'live')
  expect(zone.agents[0]!.held?.originAuthorities).toBe(ca)
  const { body } = await api.call(operator, 'GET', place(zone, 'setting/originAuthorities'))
  const { fingerprint256, validTo } = new X509Certificate(root)
  const listed = {
    subject: 'O=Test, CN=Test root',
    expired: new Date(validTo).toISOString(),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
  }
  expect(body.data).toEqual({ certificates: ca, authorities: [listed, expect.anything()] })
  await set(zone, 'setting/originAuthorities', undefined, 'DELETE')
  await until('none', zone, () => zone.agents[0]!.held?.originAuthorities === undefined)
})

test('header limits that nginx could not honour are rejected', async () => {
  const zone = await zoneWith('heads', 0)
  const put = (body: object) => api.call(operator, 'PUT', place(zone, 'setting/heads'), body)
  expect((await put({ line: 8192, request: 32_768, response: 8192 })).status).toBe(200)
  for (const body of [
    { line: 131_072, request: 65_536, response: 65_536 },
    { line: 1000, request: 65_536, response: 65_536 },
    { line: 65_536, request: 262_144, response: 65_537 },
    { line: 65_536, request: 1e9, response: 65_536 },
  ])
    expect((await put(body)).body, JSON.stringify(body)).toMatchObject({ code: 101003 })
})
