/** The agent against a control plane with real TLS and signatures: what reaches nginx, and what a node stores. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watchPace } from '../harness/pace.ts'
import { useAgentFixture } from './fixture.ts'
import { until } from './node.ts'
import { makeSite } from './sites.ts'

const fixture = useAgentFixture()

test('a published site reaches nginx and is reported within a second', async () => {
  await fixture.run()
  await until('health', () => fixture.plane.reports.some((report) => report.health))
  const [at, pace] = [performance.now(), watchPace()]
  const first = makeSite(fixture.plane, { site: 1, revision: 1 })
  const sequence = fixture.plane.publish(first)
  await until('the site at nginx', () => fixture.node.control.sites.get(1)?.artefact === first.artefact)
  await until('the watermark', () => fixture.watermark() === sequence)
  expect(performance.now() - at).toBeLessThan(pace.within(1000))
  pace.stop()
})

test('a flipped bit in an object makes its site an exception; others continue', async () => {
  const good = makeSite(fixture.plane, { site: 1, revision: 1 })
  const bad = makeSite(fixture.plane, { site: 2, revision: 1 })
  const bytes = Buffer.from(fixture.plane.objects.get(bad.artefact) ?? '')
  bytes[20] = (bytes[20] ?? 0) ^ 1
  fixture.plane.objects.set(bad.artefact, bytes)
  fixture.plane.publish(bad)
  const sequence = fixture.plane.publish(good)
  await fixture.run()
  await until('the watermark passes the exception', () => fixture.watermark() === sequence)
  expect(fixture.reasonOf(2)).toContain('its bytes are not what its hash says')
  expect(fixture.reasonOf(1)).toBeUndefined()
  expect([...fixture.node.control.sites.keys()]).toEqual([1])
})

test('a missing part, or one of the wrong kind, makes an exception, until a newer entry is right', async () => {
  const missing = makeSite(fixture.plane, { site: 1, revision: 1 })
  fixture.plane.objects.delete(missing.parts.settings)
  fixture.plane.publish(missing)
  const { artefact } = makeSite(fixture.plane, { site: 2, revision: 1 })
  const swapped = JSON.parse(fixture.plane.objects.get(artefact)?.toString() ?? '')
  swapped.parts.cache = swapped.parts.firewall
  fixture.plane.publish({ site: 2, revision: 1, artefact: fixture.plane.keep(swapped), hosts: ['site2.test'] })
  await fixture.run()
  await until('both exceptions', () => fixture.reasonOf(1) && fixture.reasonOf(2))
  expect(fixture.reasonOf(1)).toContain('part settings')
  expect(fixture.reasonOf(2)).toContain('it is of kind firewall')
  fixture.plane.publish(makeSite(fixture.plane, { site: 1, revision: 2 }))
  await until('the site is there', () => fixture.node.control.sites.has(1) && !fixture.reasonOf(1))
})

test('a revision that is superseded while it is being fetched is no exception: its successor is applied at once', async () => {
  await fixture.run()
  const first = makeSite(fixture.plane, { site: 1, revision: 1 })
  const second = makeSite(fixture.plane, { site: 1, revision: 2 })
  fixture.plane.tamper = (reply) => {
    fixture.plane.tamper = undefined
    fixture.plane.objects.delete(first.artefact)
    fixture.plane.publish(second)
    return reply
  }
  fixture.plane.publish(first)
  await until('the second', () => fixture.node.control.sites.get(1)?.artefact === second.artefact)
  await until('the watermark', () => fixture.watermark() === 2)
  expect(fixture.plane.reports.flatMap(({ exceptions }) => exceptions)).toEqual([])
})

test('a site that is saved again after every request of the node arrives version by version, not only when the saving ends', async () => {
  await fixture.run()
  const versions: ReturnType<typeof makeSite>[] = []
  const served = () => fixture.node.control.sites.get(1)?.artefact
  const seen = new Set<string>()
  let saving = true
  const save = () => {
    // As the real one does: of the superseded objects, it still serves only what it last told this node.
    const before = versions.at(-2)
    if (before) fixture.plane.objects.delete(before.artefact)
    const next = makeSite(fixture.plane, { site: 1, revision: versions.length + 1 })
    versions.push(next)
    fixture.plane.publish(next)
  }
  fixture.plane.tamper = (reply) => {
    const artefact = served()
    if (artefact) seen.add(artefact)
    if (saving) save()
    return reply
  }
  save()
  // The saving continues until this is the case.
  await until('many versions at nginx', () => seen.size >= 10)
  saving = false
  await until('the last', () => served() === versions.at(-1)?.artefact)
  expect(fixture.plane.reports.flatMap(({ exceptions }) => exceptions)).toEqual([])
})

test('an artefact of another site is refused', async () => {
  const other = makeSite(fixture.plane, { site: 8, revision: 1 })
  fixture.plane.publish({ ...other, site: 9 })
  await fixture.run()
  await until('the exception', () => fixture.reasonOf(9)?.includes('it is the artefact of site 8'))
  expect(fixture.node.control.sites.size).toBe(0)
})

test('a site that nginx refuses keeps its previous artefact, also on disk, and the next good one is applied', async () => {
  await fixture.run()
  const first = makeSite(fixture.plane, { site: 1, revision: 1 })
  fixture.plane.publish(first)
  await until('the first', () => fixture.node.control.sites.get(1))
  fixture.node.control.refuse.set(1, 'rule 4 does not compile')
  const sequence = fixture.plane.publish(makeSite(fixture.plane, { site: 1, revision: 2 }))
  await until(
    'the exception',
    () => fixture.reasonOf(1) === 'rule 4 does not compile' && fixture.watermark() === sequence,
  )
  const lines = readFileSync(join(fixture.node.folder, 'log/feed.log'), 'utf8').trim().split('\n')
  expect(JSON.parse(lines.at(-1)?.slice(9) ?? '')).toMatchObject({ site: 1, artefact: first.artefact })
  expect(fixture.hasObject(first.artefact)).toBe(true)
  fixture.node.control.refuse.clear()
  const third = makeSite(fixture.plane, { site: 1, revision: 3 })
  fixture.plane.publish(third)
  await until('the third', () => fixture.node.control.sites.get(1)?.artefact === third.artefact && !fixture.reasonOf(1))
})

test('an entry that makes nginx fail as a whole does not stop the others', async () => {
  fixture.node.control.fail.add(3)
  for (const site of [1, 2, 3, 4, 5]) fixture.plane.publish(makeSite(fixture.plane, { site, revision: 1 }))
  await fixture.run()
  await until('the watermark', () => fixture.watermark() === 5)
  expect([...fixture.node.control.sites.keys()].sort()).toEqual([1, 2, 4, 5])
  expect(fixture.reasonOf(3)).toContain('nginx answered 500')
})

test('a tombstone removes configuration, secrets and objects, but not what other sites share', async () => {
  fixture.plane.secrets.set('1/originCredential@3', Buffer.from('open sesame'))
  const gone = makeSite(fixture.plane, {
    site: 1,
    revision: 1,
    secret: 'originCredential@3',
    headers: ['shared', 'own'],
  })
  const stays = makeSite(fixture.plane, { site: 2, revision: 1, headers: ['shared'] })
  fixture.plane.publish(gone)
  fixture.plane.publish(stays)
  await fixture.run()
  await until('both', () => fixture.node.control.sites.size === 2)
  const secret = join(fixture.node.folder, 'secrets/1.originCredential@3')
  expect(readFileSync(secret, 'utf8')).toBe('open sesame')
  expect(statSync(secret).mode & 0o007).toBe(0)
  expect(fixture.node.output).not.toContain('open sesame')
  fixture.plane.publish({ site: 1, revision: 2, artefact: null, hosts: [] })
  await until('it is gone from nginx', () => !fixture.node.control.sites.has(1))
  await until('it is gone from disk', () => !existsSync(secret) && !fixture.hasObject(gone.artefact))
  expect(fixture.hasObject(stays.artefact)).toBe(true)
  expect(fixture.hasObject(stays.parts.firewall)).toBe(true)
  expect(readdirSync(join(fixture.node.folder, 'secrets'))).toEqual([])
})

test('a secret that was sealed for another node is not opened, and its site is an exception', async () => {
  await fixture.run()
  fixture.plane.sealKey = Buffer.from(fixture.plane.sealKey.map((byte, at) => (at === 3 ? byte ^ 1 : byte)))
  fixture.plane.secrets.set('1/originCredential@1', Buffer.from('for somebody else'))
  fixture.plane.publish(makeSite(fixture.plane, { site: 1, revision: 1, secret: 'originCredential@1' }))
  const sequence = fixture.plane.publish(makeSite(fixture.plane, { site: 2, revision: 1 }))
  await until('the watermark', () => fixture.watermark() === sequence)
  expect(fixture.reasonOf(1)).toBe('secret: originCredential@1 was not sealed to this node')
  expect([...fixture.node.control.sites.keys()]).toEqual([2])
})

test('the group key is written to nginx’s folder', async () => {
  fixture.plane.secrets.set('0/groupKey@1', Buffer.alloc(32, 7))
  await fixture.run()
  await until('the key', () => existsSync(join(fixture.node.folder, 'secrets/0.groupKey@1')))
  expect(readFileSync(join(fixture.node.folder, 'secrets/0.groupKey@1'))).toEqual(Buffer.alloc(32, 7))
  // Before the first sites: refusals sealed with another key could not be explained.
  await until('the feed', () => fixture.plane.asked.some((call) => call.startsWith('GET /feed')))
  const at = (call: string) => fixture.plane.asked.findIndex((asked) => asked.startsWith(call))
  expect(at('POST /secrets')).toBeLessThan(at('GET /feed'))
})

test('a node never goes past the desired sequence, and a lower one reverts nothing', async () => {
  fixture.plane.desiredAt = 2
  for (const site of [1, 2, 3]) fixture.plane.publish(makeSite(fixture.plane, { site, revision: 1 }))
  await fixture.run()
  await until('two', () => fixture.watermark() === 2)
  expect([...fixture.node.control.sites.keys()]).toEqual([1, 2])
  fixture.plane.desiredAt = 1
  // A wake-up during a pull is merged with it, so it is repeated until a second request is seen.
  await until('it asked again', () => {
    fixture.plane.wake('feed')
    return fixture.plane.asked.filter((line) => line.includes('after=2')).length > 1
  })
  expect([fixture.watermark(), fixture.node.control.sites.size]).toEqual([2, 2])
  fixture.plane.desiredAt = undefined
  fixture.plane.wake('feed')
  await until('three', () => fixture.watermark() === 3)
})

test('a site that needs what the node cannot do keeps what it has, and the reason is reported', async () => {
  await fixture.run()
  const first = makeSite(fixture.plane, { site: 1, revision: 1 })
  fixture.plane.publish(first)
  await until('the first', () => fixture.node.control.sites.has(1))
  fixture.plane.publish({ site: 1, revision: 2, artefact: null, hosts: [], ineligible: 'needs a newer node: x' })
  await until('the reason', () => fixture.reasonOf(1) === 'needs a newer node: x' && fixture.watermark() === 2)
  expect(fixture.node.control.sites.get(1)?.artefact).toBe(first.artefact)
})

test('after a new epoch the node compares: what differs is applied, nothing is reverted or removed', async () => {
  await fixture.run()
  const sites = [1, 2, 3, 4].map((site) => makeSite(fixture.plane, { site, revision: 5 }))
  for (const site of sites) fixture.plane.publish(site)
  await until('four', () => fixture.watermark() === 4)
  const applied = fixture.node.control.applied
  // Restored from an older backup: site 1 as it is, 2 older, 3 newer, 4 unknown.
  fixture.plane.entries.clear()
  Object.assign(fixture.plane, { epoch: 2, head: 0 })
  fixture.plane.publish(makeSite(fixture.plane, { site: 1, revision: 5 }))
  fixture.plane.publish(makeSite(fixture.plane, { site: 2, revision: 4 }))
  const newer = makeSite(fixture.plane, { site: 3, revision: 6 })
  fixture.plane.publish(newer)
  await until('the new epoch', () => fixture.plane.reports.at(-1)?.epoch === 2 && fixture.watermark() === 3)
  expect(fixture.node.control.sites.get(2)?.artefact).toBe(sites[1]?.artefact)
  expect(fixture.node.control.sites.get(3)?.artefact).toBe(newer.artefact)
  expect(fixture.node.control.sites.size).toBe(4)
  expect(fixture.node.control.applied).toBe(applied + 1)
  expect(fixture.reasonOf(2)).toContain('keeps its newer 5')
  expect(fixture.reasonOf(4)).toContain('does not know this site')
  // A change after the restore is ordinary news, whatever its revision.
  const changed = makeSite(fixture.plane, { site: 2, revision: 5, host: 'changed.test' })
  fixture.plane.publish(changed)
  await until(
    'the change',
    () => fixture.node.control.sites.get(2)?.artefact === changed.artefact && !fixture.reasonOf(2),
  )
})

test('an agent reports what its node can do, and one that can do more than before reads the whole feed again', async () => {
  await fixture.run()
  await until('the capabilities', () => fixture.plane.asked.some((line) => /[?&]can=[^&]*bodyRules/.test(line)))
  fixture.plane.publish({
    site: 1,
    revision: 2,
    artefact: null,
    hosts: [],
    ineligible: 'needs a newer node: bodyRules',
  })
  await until('the reason', () => fixture.reasonOf(1)?.includes('bodyRules') === true)
  await fixture.node.kill()
  // As left by an older program with fewer capabilities.
  const path = join(fixture.node.folder, 'agent/state.json')
  const state = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, JSON.stringify({ ...state, can: [] }))
  const able = makeSite(fixture.plane, { site: 1, revision: 2 })
  // The control plane decides again; the entry keeps its sequence.
  const entry = [...fixture.plane.entries.values()][0]!
  fixture.plane.entries.set(1, { ...able, sequence: entry.sequence })
  await fixture.run()
  await until('the site', () => fixture.node.control.sites.get(1)?.artefact === able.artefact && !fixture.reasonOf(1))
})

test('a torn line of the feed on disk loses only that line, and the next one is intact', async () => {
  await fixture.run()
  for (const site of [1, 2]) fixture.plane.publish(makeSite(fixture.plane, { site, revision: 1 }))
  await until('two', () => fixture.watermark() === 2)
  await fixture.node.kill()
  const path = join(fixture.node.folder, 'log/feed.log')
  const text = readFileSync(path)
  writeFileSync(path, text.subarray(0, text.length - 9))
  await fixture.run()
  fixture.plane.publish(makeSite(fixture.plane, { site: 3, revision: 1 }))
  await until('three', () => fixture.watermark() === 3)
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  expect(lines.map((line) => (line.endsWith('}') ? JSON.parse(line.slice(9)).site : 'torn'))).toEqual([1, 'torn', 3])
})
