/** Rule sets of the WAF through the API: upload, rejection, trial, choice for a zone, and delivery to its nodes. */
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { RuleSetQuestion } from '@breakwater/contract/edge/node-disk.ts'
import type { ObservedRules } from '@breakwater/contract/nodes/observed-rules.ts'
import type { RuleSet } from '@breakwater/contract/nodes/rule-sets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, callerOf, startApi } from '../nodes/testing/api.ts'
import { makeZone, type NodeApiFixture, startNodeApiFixture } from '../nodes/testing/node-api-fixture.ts'
import { enrolNode, type TestNode } from '../nodes/testing/test-node.ts'
import { archiveOf } from '../waf/testing/archive.ts'

const rule = `SecComponentSignature "Own rules/1.2"
SecRule ARGS "@rx forbidden" "id:700001,phase:2,block,t:none,msg:'A word',tag:'paranoia-level/1',\\
  setvar:'tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}'"`
const answerRule = `SecRule RESPONSE_BODY "@rx secret" "id:700002,phase:4,block,t:none,\\
  setvar:'tx.outbound_anomaly_score_pl1=+%{tx.error_anomaly_score}'"`

/**
 * The rules that the lab reports for every ordinary request, by the rule set's hash; for any other, those of the
 * default.
 */
const foundIn = new Map<string, string>()
const rulesOf = (ruleSet: string) => foundIn.get(ruleSet) ?? '920100 942100'

let fixture: NodeApiFixture
let api: Api
let lab: Server
let operator: ReturnType<typeof callerOf>
let stranger: ReturnType<typeof callerOf>
const asked: RuleSetQuestion[] = []

beforeAll(async () => {
  fixture = await startNodeApiFixture()
  api = await startApi(fixture)
  operator = callerOf(fixture.operator, 'client')
  const other = await fixture.asSystem((db) =>
    db.insertInto('tenants').values({ kind: 'operator', name: 'other' }).returning('id').executeTakeFirstOrThrow(),
  )
  stranger = callerOf(other.id, 'client')
  // The lab's end of the socket: records what it is asked, and reports one request in four as an attack.
  const folder = join(fixture.services.env.dataFolder, 'lab', 'run')
  mkdirSync(folder, { recursive: true })
  lab = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const question = RuleSetQuestion.parse(JSON.parse(text))
    asked.push(question)
    const answers = question.requests.map((_, at) =>
      request.url === '/rule-set/hits'
        ? { rules: rulesOf(question.ruleSet), isCut: false }
        : at % 4 === 0
          ? { score: 5, text: '1:5:ARGS:q' }
          : { score: 0, text: '' },
    )
    response.end(JSON.stringify({ answers }))
  })
  await new Promise<void>((resolve) => lab.listen(join(folder, 'control.sock'), resolve))
})
afterAll(async () => {
  lab?.close()
  await api?.close()
  await fixture?.close()
})

/** A ZIP of deflated files: each with its header, and the central directory at the end. */
function zipOf(entries: { name: string; text: Buffer }[]): Buffer {
  const [files, directory]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const { name, text } of entries) {
    const [named, packed] = [Buffer.from(name), deflateRawSync(text)]
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(8, 4)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(text.length, 18)
    facts.writeUInt16LE(named.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\0\0', 'latin1'), facts, place, named)
    files.push(Buffer.from('PK\x03\x04', 'latin1'), facts, named, packed)
    at += 30 + named.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...files, ...directory, end])
}
const fileOf = (bytes: Uint8Array, name = 'rules.tar.gz') => new File([new Uint8Array(bytes)], name)
const upload = (bytes: Uint8Array, as = operator) => api.upload(as, '/client/wafRuleSets', fileOf(bytes))
const listed = async (as = operator) => (await api.call(as, 'GET', '/client/wafRuleSets')).body.data as RuleSet[]

test('malicious or invalid archives are rejected at the file, and nothing is stored', async () => {
  const long = Buffer.alloc(3_000_000, 'a')
  const hostile: [string, Uint8Array][] = [
    ['no archive', Buffer.from('SecRule ARGS')],
    ['damaged', gzipSync(Buffer.alloc(2000, 7))],
    ['no rules', await archiveOf([{ name: 'readme.txt', text: 'x' }])],
    ['a name that leads out', await archiveOf([{ name: '../../etc/cron.conf', text: rule }])],
    ['an absolute name', await archiveOf([{ name: '/etc/x.conf', text: rule }])],
    ['a link', await archiveOf([{ name: 'a.conf', type: 'symlink' }])],
    ['a long file', await archiveOf([{ name: 'a.conf', text: long }])],
    ['a bomb', gzipSync(Buffer.alloc(60_000_000))],
    ['deep folders', await archiveOf([{ name: `${'a/'.repeat(20)}a.conf`, text: rule }])],
    ['many files', await archiveOf(Array.from({ length: 1200 }, (_, n) => ({ name: `${n}.conf` })))],
    ['a damaged ZIP', Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(100)])],
  ]
  for (const [what, bytes] of hostile) {
    const { status, body } = await upload(bytes)
    expect([what, status, body.extra]).toEqual([what, 400, [{ field: 'file', reason: 'wrongFormat' }]])
  }
  expect(await listed()).toEqual([])
})

test('an unsupported rule is reported with its file and line, and the whole set is rejected', async () => {
  const archive = await archiveOf([
    { name: 'set/a.conf', text: rule },
    { name: 'set/b.conf', text: '# x\nSecRule ARGS "@geoLookup" "id:2"' },
    { name: 'set/c.conf', text: 'SecRuleScript x.lua' },
  ])
  expect((await upload(archive)).body.data).toEqual({
    ...{ id: 0, leftOut: [] },
    problems: [
      { file: 'b.conf', line: 2, reason: 'the operator @geoLookup is not known' },
      { file: 'c.conf', line: 1, reason: 'SecRuleScript is not known' },
    ],
  })
  expect(await listed()).toEqual([])
})

test('a tried and chosen set reaches the nodes by hash, and cannot be removed while a zone uses it', async () => {
  const { zoneId } = await fixture.asSystem((db) => makeZone(db, fixture.operator, 'waf'))
  const { token } = await fixture.token(zoneId, 'waf-1')
  const node = await enrolNode(fixture.server, fixture.authority.certificate, token)
  const archive = await archiveOf([
    { name: 'set-1.2/own.conf', text: rule },
    { name: 'set-1.2/RESPONSE-950-OWN.conf', text: answerRule },
  ])
  const added = (await upload(archive)).body.data as { id: number; problems: [] }
  expect(added.problems).toEqual([])
  const { id } = added
  expect((await upload(archive)).body.extra).toEqual([{ field: 'file', reason: 'duplicatedData' }])
  const [found] = await listed()
  expect(found).toMatchObject({ id, name: 'Own rules 1.2', levels: [2, 2, 2, 2], zones: [], trial: null })
  expect(await listed(stranger)).toEqual([])
  const { body } = await api.call(operator, 'GET', '/client/wafRuleSets')
  expect(body.defaultName).toMatch(/^OWASP CRS \d/)

  const set = (ruleSetId: number, as = operator) =>
    api.call(as, 'PUT', `/client/zone/${zoneId}/setting/wafRuleSet`, { ruleSetId })
  expect((await set(id)).body.extra).toEqual([{ field: 'ruleSetId', reason: 'notTried' }])
  for (const call of [set(999_999), set(id, stranger), api.call(stranger, 'POST', `/client/wafRuleSets/${id}/try`)])
    expect((await call).status).toBe(403)
  const trial = (await api.call(operator, 'POST', `/client/wafRuleSets/${id}/try`)).body.data as RuleSet['trial']
  expect(trial).toMatchObject({ refused: Math.ceil(trial!.benign / 4), examples: [] })
  expect(trial!.benign).toBeGreaterThan(300)
  expect(trial!.attacks).toBeGreaterThan(300)
  expect(new Set(asked.map(({ ruleSet }) => ruleSet)).size).toBe(2)

  expect((await set(id)).status).toBe(200)
  expect((await listed())[0]!.zones).toEqual([{ id: zoneId, name: 'waf' }])
  const told = await configurationOf(node)
  expect(told.wafRules).toBe(found!.hash)
  const [requests, responses] = await objectsOf(node, [told.wafRules!, told.wafResponses!])
  expect(requests).toMatchObject({ kind: 'wafRules', name: 'Own rules 1.2', rules: [{ id: 700_001 }] })
  expect(responses).toMatchObject({ rules: [{ id: 700_002, conditions: [{ score: 4 }] }] })

  const remove = (as = operator) => api.call(as, 'DELETE', '/client/wafRuleSets', { ids: [id] })
  expect((await remove()).body.extra).toEqual([{ field: 'ids', reason: 'inUse' }])
  expect((await remove(stranger)).status).toBe(403)
  expect((await set(0)).status).toBe(200)
  expect((await configurationOf(node)).wafRules).toBe(undefined)

  const shadow = (ruleSetId: number, percent = 1, more = {}) =>
    api.call(operator, 'PUT', `/client/zone/${zoneId}/setting/wafShadow`, { ruleSetId, percent, ...more })
  expect((await shadow(999_999)).status).toBe(403)
  for (const percent of [0, 101, 1.5])
    expect((await shadow(id, percent)).body.extra).toEqual([{ field: 'percent', reason: 'number' }])
  expect((await shadow(id, 5)).status).toBe(200)
  // On one node of the zone only, and on all if the operator chooses so.
  const { id: nodeId } = await fixture.asSystem((db) =>
    db.selectFrom('nodes').select('id').where('name', '=', 'waf-1').executeTakeFirstOrThrow(),
  )
  expect((await configurationOf(node)).wafShadow).toEqual({ rules: found!.hash, percent: 5, node: nodeId })
  expect((await shadow(id, 5, { nodes: 'two' })).body.extra).toMatchObject([{ field: 'nodes' }])
  expect((await shadow(id, 5, { nodes: 'all' })).status).toBe(200)
  expect((await configurationOf(node)).wafShadow).toEqual({ rules: found!.hash, percent: 5 })
  expect((await listed())[0]!.zones).toEqual([{ id: zoneId, name: 'waf' }])
  expect((await remove()).body.extra).toEqual([{ field: 'ids', reason: 'inUse' }])
  expect((await shadow(0)).status).toBe(200)
  expect((await configurationOf(node)).wafShadow).toBe(undefined)
  expect((await remove()).status).toBe(200)
  expect(await listed()).toEqual([])
})

test('rules that match more often than before only observe until the operator releases them', async () => {
  const { zoneId } = await fixture.asSystem((db) => makeZone(db, fixture.operator, 'observing'))
  const { token } = await fixture.token(zoneId, 'observing-1')
  const node = await enrolNode(fixture.server, fixture.authority.certificate, token)
  const scoring = (id: number) =>
    `SecRule ARGS "@rx ${id}" "id:${id},phase:2,block,t:none,msg:'Rule ${id}',setvar:'tx.inbound_anomaly_score_pl1=+5'"`
  /** Uploads a set with these rules, some of which the lab reports for every ordinary request. */
  async function tried(name: string, rules: number[], found: number[]): Promise<number> {
    const text = [`SecComponentSignature "${name}/1"`, ...rules.map(scoring)].join('\n')
    const { id } = (await upload(await archiveOf([{ name: `${name}/a.conf`, text }]))).body.data as { id: number }
    foundIn.set((await listed()).find((set) => set.id === id)!.hash, found.join(' '))
    expect((await api.call(operator, 'POST', `/client/wafRuleSets/${id}/try`)).status).toBe(200)
    return id
  }
  const [at, setting] = [`/client/zone/${zoneId}/wafObserved`, `/client/zone/${zoneId}/setting/wafRuleSet`]
  const set = async (ruleSetId: number) =>
    expect((await api.call(operator, 'PUT', setting, { ruleSetId })).status).toBe(200)
  const observed = async () => (await api.call(operator, 'GET', at)).body.data as ObservedRules
  const ids = async () => (await observed()).rules.map(({ ruleID }) => ruleID)
  const release = (chosen: number[], as = operator) => api.call(as, 'POST', `${at}/release`, { ids: chosen })

  // 942100 matches as often as the default's, 941100 never did there, 700010 is new, and 700011 matches nothing
  // ordinary.
  const first = await tried('first', [941_100, 942_100, 700_010, 700_011], [941_100, 942_100, 700_010])
  expect(await observed()).toEqual({ ruleSetId: 0, benign: 0, live: 0, rules: [] })
  await set(first)
  const { benign, ...more } = await observed()
  const live = { before: 0, now: 0, people: 0 }
  expect(more).toEqual({
    ...{ ruleSetId: first, live: 0 },
    rules: [
      { ruleID: 700_010, name: 'Rule 700010', isNew: true, benign: { before: 0, now: benign }, live },
      { ruleID: 941_100, name: 'Rule 941100', isNew: false, benign: { before: 0, now: benign }, live },
    ],
  })
  expect((await configurationOf(node)).wafObserved).toEqual([700_010, 941_100])
  // Choosing the current set again makes no revision: the history would claim a change.
  await set(first)
  const now = (await api.call(operator, 'GET', `/client/zone/${zoneId}/configuration`)).body.data as {
    revision: number
  }
  expect(now.revision).toBe(1)
  // A node that does not support observed rules does not get the set at all: it would refuse people by them.
  expect(await entryOf(node, 'nodeConfiguration,zoneRuleSet,wafResponses')).toMatchObject({ artefact: null })

  expect((await release([941_100], stranger)).status).toBe(403)
  expect((await release([])).body.extra).toEqual([{ field: 'ids', reason: 'required' }])
  expect((await release([941_100, 1])).status).toBe(200)
  expect((await configurationOf(node)).wafObserved).toEqual([700_010])

  // A rule that nobody released still only observes in the next set, though it matches no more often than in the first.
  const second = await tried('second', [700_010, 942_100], [700_010, 942_100])
  await set(second)
  expect(await ids()).toEqual([700_010])
  expect((await release([700_010])).status).toBe(200)
  expect((await configurationOf(node)).wafObserved).toBe(undefined)

  // A set that the zone had before comes back as the operator left it, and with the default no rule only observes.
  await set(first)
  expect(await ids()).toEqual([700_010])
  await set(second)
  expect(await ids()).toEqual([])
  await set(first)
  expect((await api.call(operator, 'DELETE', setting)).status).toBe(200)
  expect(await ids()).toEqual([])
  expect((await configurationOf(node)).wafObserved).toBe(undefined)

  type Change = { path: string; after: { rules: { ruleID: number }[] } | null }
  const { body } = await api.call(operator, 'GET', `/client/zone/${zoneId}/configuration/history`)
  const told = (body.data as { changes: Change[] }[])
    .flatMap(({ changes }) => changes)
    .filter(({ path }) => path === 'wafObserved')
  expect(told.map(({ after }) => after?.rules.map(({ ruleID }) => ruleID) ?? [])).toEqual([
    ...[[], [700_010], [], [700_010], []],
    ...[[700_010], [700_010], [700_010, 941_100]],
  ])
})

test('response rules that are new or changed only observe, as past responses cannot be evaluated', async () => {
  const { zoneId } = await fixture.asSystem((db) => makeZone(db, fixture.operator, 'answering'))
  const { token } = await fixture.token(zoneId, 'answering-1')
  const node = await enrolNode(fixture.server, fixture.authority.certificate, token)
  const asked = `SecRule ARGS "@rx 7" "id:700000,phase:2,block,t:none,msg:'Asked',setvar:'tx.inbound_anomaly_score_pl1=+5'"`
  const answer = (id: number, expression: string) =>
    `SecRule RESPONSE_BODY "@rx ${expression}" "id:${id},phase:4,block,t:none,msg:'Rule ${id}',setvar:'tx.outbound_anomaly_score_pl1=+4'"`
  async function tried(name: string, rules: string[]): Promise<number> {
    const files = [
      { name: `${name}/REQUEST-1.conf`, text: [`SecComponentSignature "${name}/1"`, asked].join('\n') },
      { name: `${name}/RESPONSE-951-OWN.conf`, text: rules.join('\n') },
    ]
    const { id } = (await upload(await archiveOf(files))).body.data as { id: number }
    foundIn.set((await listed()).find((set) => set.id === id)!.hash, '')
    expect((await api.call(operator, 'POST', `/client/wafRuleSets/${id}/try`)).status).toBe(200)
    return id
  }
  const [at, setting] = [`/client/zone/${zoneId}/wafObserved`, `/client/zone/${zoneId}/setting/wafRuleSet`]
  const set = async (ruleSetId: number) =>
    expect((await api.call(operator, 'PUT', setting, { ruleSetId })).status).toBe(200)
  const observed = async () => ((await api.call(operator, 'GET', at)).body.data as ObservedRules).rules
  const isNews = async () => (await observed()).map(({ ruleID, isNew }) => [ruleID, isNew])

  await set(await tried('answers', [answer(701_001, 'one'), answer(701_002, 'two')]))
  expect(await isNews()).toEqual([
    [701_001, true],
    [701_002, true],
  ])
  expect((await observed())[0]).toMatchObject({ name: 'Rule 701001', isOfAnswers: true })
  expect((await configurationOf(node)).wafObserved).toEqual([701_001, 701_002])
  // An older node would cut off responses by them.
  const before = 'nodeConfiguration,zoneRuleSet,wafResponses,wafObserved'
  expect(await entryOf(node, before)).toMatchObject({ artefact: null })
  const ids = (await observed()).map(({ ruleID }) => ruleID)
  expect((await api.call(operator, 'POST', `${at}/release`, { ids })).status).toBe(200)

  // One is unchanged, one is changed, one is new.
  await set(await tried('changed', [answer(701_001, 'one'), answer(701_002, 'twos?'), answer(701_003, 'three')]))
  expect(await isNews()).toEqual([
    [701_002, false],
    [701_003, true],
  ])
})

test('the folder of the Core Rule Set is read as released, also as ZIP', async () => {
  const names = ['REQUEST-901-INITIALIZATION.conf', 'REQUEST-942-APPLICATION-ATTACK-SQLI.conf']
  const rules = names.map((name) => ({
    name: `coreruleset/rules/${name}`,
    text: readFileSync(`/usr/share/modsecurity-crs/rules/${name}`),
  }))
  const setup = `SecAction "id:900000,phase:1,nolog,pass,t:none,setvar:tx.paranoia_level=2"`
  const entries = [{ name: 'coreruleset/crs-setup.conf', text: Buffer.from(setup) }, ...rules]
  const { body } = await api.upload(operator, '/client/wafRuleSets', fileOf(zipOf(entries), 'crs.zip'))
  // The paranoia level is each site's choice: reported with the upload, and stored in the list.
  const leftOut = [{ file: 'crs-setup.conf', line: 1, what: 'tx.paranoia_level=2', reason: 'own' }]
  expect(body.data).toMatchObject({ problems: [], leftOut })
  const [found] = await listed()
  expect(found!.leftOut).toEqual(leftOut)
  expect(found!.name).toMatch(/^OWASP CRS 3\.3/)
  expect(found!.levels[3]).toBeGreaterThan(40)
})

type Told = {
  wafObserved?: number[]
  wafRules?: string
  wafResponses?: string
  wafShadow?: { rules: string; percent: number; node?: number }
}

/** The configuration that the node gets of its zone. */
async function configurationOf(node: TestNode): Promise<Told> {
  const entry = await entryOf(
    node,
    'nodeConfiguration,zoneRuleSet,wafResponses,wafObserved,wafObservedAnswers,wafShadow,wafShadowNode',
  )
  return (await objectsOf(node, [entry.artefact!]))[0] as Told
}

async function entryOf(node: TestNode, can: string): Promise<{ site: number; artefact: string | null }> {
  const { body } = await node.get(`/feed?epoch=1&after=0&schema=2&limit=1000&can=${can}`)
  const entries = JSON.parse(String(body.entries)) as { site: number; artefact: string | null }[]
  return entries.find(({ site }) => site === 0)!
}

async function objectsOf(node: TestNode, hashes: string[]): Promise<unknown[]> {
  const { body } = await node.post('/objects', { hashes, schema: 2 })
  const objects = body.objects as Record<string, string>
  return hashes.map((hash) => JSON.parse(Buffer.from(objects[hash]!, 'base64').toString()))
}
