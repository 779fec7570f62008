/** The agent, nginx and the control plane may be away or killed at any instant; what was begun goes on. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from './node.ts'
import { makeSite } from './sites.ts'
import { useWorld } from './world.ts'

const world = useWorld()
const statePath = () => join(world.node.folder, 'agent/state.json')
const after = () => (existsSync(statePath()) ? JSON.parse(readFileSync(statePath(), 'utf8')).after : undefined)

test('killed again and again while a feed comes in, a node ends with all of it', async () => {
  const artefacts = new Map<number, string>()
  await world.run()
  for (let round = 0; round < 8; round++) {
    for (let site = 1; site <= 12; site++) {
      const made = makeSite(world.plane, { site, revision: round + 1 })
      artefacts.set(site, made.artefact)
      world.plane.publish(made)
    }
    await sleep(Math.random() * 120)
    await world.node.kill()
    world.node.start()
    await sleep(250 + Math.random() * 300)
  }
  await until('all of it', () => world.watermark() === world.plane.head, 20_000)
  for (const [site, artefact] of artefacts) expect(world.node.control.sites.get(site)?.artefact).toBe(artefact)
  expect(world.plane.reports.at(-1)?.exceptions).toEqual([])
}, 60_000)

test('while nginx is away the feed is on disk but not counted; nginx hears of it when it is back', async () => {
  await world.node.control.stop()
  world.node.start({ BREAKWATER_ENROL_TOKEN: world.plane.token() })
  await until('the agent reports', () => world.plane.reports.length > 0)
  const site = makeSite(world.plane, { site: 1, revision: 1 })
  const tombstone = { site: 2, revision: 1, artefact: null, hosts: [] }
  world.plane.publish(site)
  const sequence = world.plane.publish(tombstone)
  await until('it is on disk', () => after() === sequence)
  expect(world.watermark()).toBe(0)
  await world.node.kill()
  world.node.start()
  await sleep(300)
  await world.node.control.start()
  await until('the watermark', () => world.watermark() === sequence)
  expect(world.node.control.sites.get(1)?.artefact).toBe(site.artefact)
})

test('a control plane that comes back is followed again within its next wake', async () => {
  await world.run()
  await world.plane.stop()
  const site = makeSite(world.plane, { site: 1, revision: 1 })
  world.plane.publish(site)
  await sleep(1500)
  expect(world.node.child?.exitCode).toBeNull()
  await world.plane.start()
  await until('the site', () => world.node.control.sites.has(1), 20_000)
})

test('an unreadable state is begun anew by comparing, and nothing that is held goes away', async () => {
  await world.run()
  for (const site of [1, 2]) world.plane.publish(makeSite(world.plane, { site, revision: 1 }))
  await until('two', () => world.watermark() === 2)
  await world.node.kill()
  writeFileSync(statePath(), '{"epoch":')
  await world.run()
  await until('two again', () => world.watermark() === 2)
  expect(world.node.control.sites.size).toBe(2)
  expect(world.plane.reports.at(-1)?.exceptions).toEqual([])
})

test('objects and secrets that were damaged or lost on the disk are fetched again at the next start', async () => {
  world.plane.secrets.set('1/originCredential@1', Buffer.from('open sesame'))
  const site = makeSite(world.plane, { site: 1, revision: 1, secret: 'originCredential@1' })
  await world.run()
  world.plane.publish(site)
  await until('the site', () => world.watermark() === 1)
  await world.node.kill()
  const path = (hash: string) => join(world.node.folder, 'objects', hash.slice(0, 2), hash)
  const secret = join(world.node.folder, 'secrets/1.originCredential@1')
  writeFileSync(path(site.artefact), 'flipped')
  rmSync(path(site.parts.firewall))
  rmSync(secret)
  await world.run()
  await until('all of it', () => existsSync(secret))
  for (const hash of [site.artefact, site.parts.firewall]) {
    expect(readFileSync(path(hash))).toEqual(world.plane.objects.get(hash))
  }
})
