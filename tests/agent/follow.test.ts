/** The agent against a control plane of real TLS and signatures: what reaches nginx, and what a node keeps. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from './node.ts'
import { makeSite, makeSiteBefore } from './sites.ts'
import { useWorld } from './world.ts'

const world = useWorld()

test('what is published reaches nginx and is reported within a second', async () => {
  await world.run()
  await until('health', () => world.plane.reports.some((report) => report.health))
  const at = Date.now()
  const first = makeSite(world.plane, { site: 1, revision: 1 })
  const sequence = world.plane.publish(first)
  await until('the site at nginx', () => world.node.control.sites.get(1)?.artefact === first.artefact)
  await until('the watermark', () => world.watermark() === sequence)
  expect(Date.now() - at).toBeLessThan(1000)
})

test('a flipped bit in an object makes an exception of its site; others move on', async () => {
  const good = makeSite(world.plane, { site: 1, revision: 1 })
  const bad = makeSite(world.plane, { site: 2, revision: 1 })
  const bytes = Buffer.from(world.plane.objects.get(bad.artefact) ?? '')
  bytes[20] = (bytes[20] ?? 0) ^ 1
  world.plane.objects.set(bad.artefact, bytes)
  world.plane.publish(bad)
  const sequence = world.plane.publish(good)
  await world.run()
  await until('the watermark passes the exception', () => world.watermark() === sequence)
  expect(world.reasonOf(2)).toContain('its bytes are not what its hash says')
  expect(world.reasonOf(1)).toBeUndefined()
  expect([...world.node.control.sites.keys()]).toEqual([1])
})

test('a part that is missing or of another kind makes an exception, until a newer entry is right', async () => {
  const missing = makeSite(world.plane, { site: 1, revision: 1 })
  world.plane.objects.delete(missing.parts.settings)
  world.plane.publish(missing)
  const { artefact } = makeSite(world.plane, { site: 2, revision: 1 })
  const swapped = JSON.parse(world.plane.objects.get(artefact)?.toString() ?? '')
  swapped.parts.cache = swapped.parts.firewall
  world.plane.publish({ site: 2, revision: 1, artefact: world.plane.keep(swapped), hosts: ['site2.test'] })
  await world.run()
  await until('both exceptions', () => world.reasonOf(1) && world.reasonOf(2))
  expect(world.reasonOf(1)).toContain('part settings')
  expect(world.reasonOf(2)).toContain('it is of kind firewall')
  world.plane.publish(makeSite(world.plane, { site: 1, revision: 2 }))
  await until('the site is there', () => world.node.control.sites.has(1) && !world.reasonOf(1))
})

test('a revision that is overtaken while it is fetched is no exception: what took its place is applied at once', async () => {
  await world.run()
  const first = makeSite(world.plane, { site: 1, revision: 1 })
  const second = makeSite(world.plane, { site: 1, revision: 2 })
  world.plane.tamper = (reply) => {
    world.plane.tamper = undefined
    world.plane.objects.delete(first.artefact)
    world.plane.publish(second)
    return reply
  }
  world.plane.publish(first)
  await until('the second', () => world.node.control.sites.get(1)?.artefact === second.artefact)
  await until('the watermark', () => world.watermark() === 2)
  expect(world.plane.reports.flatMap(({ exceptions }) => exceptions)).toEqual([])
})

test('a site that is saved again whenever the node has asked is brought here version by version, not when the saving ends', async () => {
  await world.run()
  const versions: ReturnType<typeof makeSite>[] = []
  const served = () => world.node.control.sites.get(1)?.artefact
  const seen = new Set<string>()
  let saving = true
  const save = () => {
    // As the real one does: of what was overtaken, only what this node was told last is still given.
    const before = versions.at(-2)
    if (before) world.plane.objects.delete(before.artefact)
    const next = makeSite(world.plane, { site: 1, revision: versions.length + 1 })
    versions.push(next)
    world.plane.publish(next)
  }
  world.plane.tamper = (reply) => {
    const artefact = served()
    if (artefact) seen.add(artefact)
    if (saving) save()
    return reply
  }
  save()
  // The saving does not end before this is so.
  await until('many versions at nginx', () => seen.size >= 10)
  saving = false
  await until('the last', () => served() === versions.at(-1)?.artefact)
  expect(world.plane.reports.flatMap(({ exceptions }) => exceptions)).toEqual([])
})

test('an artefact of another site is refused', async () => {
  const other = makeSite(world.plane, { site: 8, revision: 1 })
  world.plane.publish({ ...other, site: 9 })
  await world.run()
  await until('the exception', () => world.reasonOf(9)?.includes('it is the artefact of site 8'))
  expect(world.node.control.sites.size).toBe(0)
})

test('a site that nginx refuses keeps its previous artefact, also on disk, and the next good one is applied', async () => {
  await world.run()
  const first = makeSite(world.plane, { site: 1, revision: 1 })
  world.plane.publish(first)
  await until('the first', () => world.node.control.sites.get(1))
  world.node.control.refuse.set(1, 'rule 4 does not compile')
  const sequence = world.plane.publish(makeSite(world.plane, { site: 1, revision: 2 }))
  await until('the exception', () => world.reasonOf(1) === 'rule 4 does not compile' && world.watermark() === sequence)
  const lines = readFileSync(join(world.node.folder, 'log/feed.log'), 'utf8').trim().split('\n')
  expect(JSON.parse(lines.at(-1)?.slice(9) ?? '')).toMatchObject({ site: 1, artefact: first.artefact })
  expect(world.hasObject(first.artefact)).toBe(true)
  world.node.control.refuse.clear()
  const third = makeSite(world.plane, { site: 1, revision: 3 })
  world.plane.publish(third)
  await until('the third', () => world.node.control.sites.get(1)?.artefact === third.artefact && !world.reasonOf(1))
})

test('an entry on which nginx fails as a whole does not stop those beside it', async () => {
  world.node.control.fail.add(3)
  for (const site of [1, 2, 3, 4, 5]) world.plane.publish(makeSite(world.plane, { site, revision: 1 }))
  await world.run()
  await until('the watermark', () => world.watermark() === 5)
  expect([...world.node.control.sites.keys()].sort()).toEqual([1, 2, 4, 5])
  expect(world.reasonOf(3)).toContain('nginx answered 500')
})

test('a tombstone takes configuration, secrets and objects, but not what other sites share', async () => {
  world.plane.secrets.set('1/originCredential@3', Buffer.from('open sesame'))
  const gone = makeSite(world.plane, { site: 1, revision: 1, secret: 'originCredential@3', headers: ['shared', 'own'] })
  const stays = makeSite(world.plane, { site: 2, revision: 1, headers: ['shared'] })
  world.plane.publish(gone)
  world.plane.publish(stays)
  await world.run()
  await until('both', () => world.node.control.sites.size === 2)
  const secret = join(world.node.folder, 'secrets/1.originCredential@3')
  expect(readFileSync(secret, 'utf8')).toBe('open sesame')
  expect(statSync(secret).mode & 0o007).toBe(0)
  expect(world.node.output).not.toContain('open sesame')
  world.plane.publish({ site: 1, revision: 2, artefact: null, hosts: [] })
  await until('it is gone from nginx', () => !world.node.control.sites.has(1))
  await until('it is gone from disk', () => !existsSync(secret) && !world.hasObject(gone.artefact))
  expect(world.hasObject(stays.artefact)).toBe(true)
  expect(world.hasObject(stays.parts.firewall)).toBe(true)
  expect(readdirSync(join(world.node.folder, 'secrets'))).toEqual([])
})

test('a secret that was sealed to another node is not opened, and its site is an exception', async () => {
  await world.run()
  world.plane.sealKey = Buffer.from(world.plane.sealKey.map((byte, at) => (at === 3 ? byte ^ 1 : byte)))
  world.plane.secrets.set('1/originCredential@1', Buffer.from('for somebody else'))
  world.plane.publish(makeSite(world.plane, { site: 1, revision: 1, secret: 'originCredential@1' }))
  const sequence = world.plane.publish(makeSite(world.plane, { site: 2, revision: 1 }))
  await until('the watermark', () => world.watermark() === sequence)
  expect(world.reasonOf(1)).toBe('secret: originCredential@1 was not sealed to this node')
  expect([...world.node.control.sites.keys()]).toEqual([2])
})

test('the key of the group is brought to nginx’s folder', async () => {
  world.plane.secrets.set('0/groupKey@1', Buffer.alloc(32, 7))
  await world.run()
  await until('the key', () => existsSync(join(world.node.folder, 'secrets/0.groupKey@1')))
  expect(readFileSync(join(world.node.folder, 'secrets/0.groupKey@1'))).toEqual(Buffer.alloc(32, 7))
})

test('a node never goes past the desired sequence, and a lower one takes nothing back', async () => {
  world.plane.desiredAt = 2
  for (const site of [1, 2, 3]) world.plane.publish(makeSite(world.plane, { site, revision: 1 }))
  await world.run()
  await until('two', () => world.watermark() === 2)
  expect([...world.node.control.sites.keys()]).toEqual([1, 2])
  world.plane.desiredAt = 1
  // A wake that meets a pull under way is one with it, so it is repeated until a second question is seen.
  await until('it asked again', () => {
    world.plane.wake('feed')
    return world.plane.asked.filter((line) => line.includes('after=2')).length > 1
  })
  expect([world.watermark(), world.node.control.sites.size]).toEqual([2, 2])
  world.plane.desiredAt = undefined
  world.plane.wake('feed')
  await until('three', () => world.watermark() === 3)
})

test('a site that the node’s schema cannot say keeps what it has, and the reason is reported', async () => {
  await world.run()
  const first = makeSite(world.plane, { site: 1, revision: 1 })
  world.plane.publish(first)
  await until('the first', () => world.node.control.sites.has(1))
  world.plane.publish({ site: 1, revision: 2, artefact: null, hosts: [], ineligible: 'body rules need a newer agent' })
  await until('the reason', () => world.reasonOf(1) === 'body rules need a newer agent' && world.watermark() === 2)
  expect(world.node.control.sites.get(1)?.artefact).toBe(first.artefact)
})

test('a new epoch is compared: what differs is applied, nothing goes back or away', async () => {
  await world.run()
  const sites = [1, 2, 3, 4].map((site) => makeSite(world.plane, { site, revision: 5 }))
  for (const site of sites) world.plane.publish(site)
  await until('four', () => world.watermark() === 4)
  const applied = world.node.control.applied
  // Restored from an older backup: site 1 as it is, 2 older, 3 newer, 4 unknown.
  world.plane.entries.clear()
  Object.assign(world.plane, { epoch: 2, head: 0 })
  world.plane.publish(makeSite(world.plane, { site: 1, revision: 5 }))
  world.plane.publish(makeSite(world.plane, { site: 2, revision: 4 }))
  const newer = makeSite(world.plane, { site: 3, revision: 6 })
  world.plane.publish(newer)
  await until('the new epoch', () => world.plane.reports.at(-1)?.epoch === 2 && world.watermark() === 3)
  expect(world.node.control.sites.get(2)?.artefact).toBe(sites[1]?.artefact)
  expect(world.node.control.sites.get(3)?.artefact).toBe(newer.artefact)
  expect(world.node.control.sites.size).toBe(4)
  expect(world.node.control.applied).toBe(applied + 1)
  expect(world.reasonOf(2)).toContain('keeps its newer 5')
  expect(world.reasonOf(4)).toContain('does not know this site')
  // A change after the restore is plain news, whatever its number.
  const changed = makeSite(world.plane, { site: 2, revision: 5, host: 'changed.test' })
  world.plane.publish(changed)
  await until('the change', () => world.node.control.sites.get(2)?.artefact === changed.artefact && !world.reasonOf(2))
})

test('an agent of the schema before gets the same site to nginx, in the current schema', async () => {
  await world.run({ BREAKWATER_SCHEMA: '1' })
  expect(world.plane.asked.some((line) => line.includes('schema=1'))).toBe(true)
  world.plane.publish(makeSiteBefore(world.plane, { site: 1, revision: 3 }))
  const entry = await until('the site', () => world.node.control.sites.get(1))
  const read = (hash: string) =>
    JSON.parse(readFileSync(join(world.node.folder, 'objects', hash.slice(0, 2), hash), 'utf8'))
  const artefact = read(entry.artefact ?? '')
  expect(artefact).toMatchObject({ schema: 2, site: 1, revision: 3, domains: [{ balance: 'roundRobin' }] })
  const firewall = read(artefact.parts.firewall)
  expect(firewall).toMatchObject({ bodyRules: [], rateRules: [{ id: 4, mode: 'enforce' }] })
})

test('a torn line of the feed on disk loses that line alone, and the next one is whole', async () => {
  await world.run()
  for (const site of [1, 2]) world.plane.publish(makeSite(world.plane, { site, revision: 1 }))
  await until('two', () => world.watermark() === 2)
  await world.node.kill()
  const path = join(world.node.folder, 'log/feed.log')
  const text = readFileSync(path)
  writeFileSync(path, text.subarray(0, text.length - 9))
  await world.run()
  world.plane.publish(makeSite(world.plane, { site: 3, revision: 1 }))
  await until('three', () => world.watermark() === 3)
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  expect(lines.map((line) => (line.endsWith('}') ? JSON.parse(line.slice(9)).site : 'torn'))).toEqual([1, 'torn', 3])
})
