/** The agent, nginx and the control plane may be away or killed at any time; work in progress is resumed. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useAgentFixture } from './fixture.ts'
import { until } from './node.ts'
import { makeSite } from './sites.ts'

const fixture = useAgentFixture()
const statePath = () => join(fixture.node.folder, 'agent/state.json')
const after = () => (existsSync(statePath()) ? JSON.parse(readFileSync(statePath(), 'utf8')).after : undefined)

test('a node that is killed repeatedly during a feed ends up with all of it', async () => {
  const artefacts = new Map<number, string>()
  await fixture.run()
  for (let round = 0; round < 8; round++) {
    for (let site = 1; site <= 12; site++) {
      const made = makeSite(fixture.plane, { site, revision: round + 1 })
      artefacts.set(site, made.artefact)
      fixture.plane.publish(made)
    }
    await sleep(Math.random() * 120)
    await fixture.node.kill()
    fixture.node.start()
    await sleep(250 + Math.random() * 300)
  }
  await until('all of it', () => fixture.watermark() === fixture.plane.head)
  for (const [site, artefact] of artefacts) expect(fixture.node.control.sites.get(site)?.artefact).toBe(artefact)
  expect(fixture.plane.reports.at(-1)?.exceptions).toEqual([])
})

test('while nginx is away the feed is on disk but not acknowledged; nginx gets it when it is back', async () => {
  await fixture.node.control.stop()
  fixture.node.start({ BREAKWATER_ENROL_TOKEN: fixture.plane.token() })
  await until('the agent reports', () => fixture.plane.reports.length > 0)
  const site = makeSite(fixture.plane, { site: 1, revision: 1 })
  const tombstone = { site: 2, revision: 1, artefact: null, hosts: [] }
  fixture.plane.publish(site)
  const sequence = fixture.plane.publish(tombstone)
  await until('it is on disk', () => after() === sequence)
  expect(fixture.watermark()).toBe(0)
  await fixture.node.kill()
  fixture.node.start()
  await sleep(300)
  await fixture.node.control.start()
  await until('the watermark', () => fixture.watermark() === sequence)
  expect(fixture.node.control.sites.get(1)?.artefact).toBe(site.artefact)
})

test('a control plane that comes back is followed again at its next wake-up', async () => {
  await fixture.run()
  await fixture.plane.stop()
  const site = makeSite(fixture.plane, { site: 1, revision: 1 })
  fixture.plane.publish(site)
  await sleep(1500)
  expect(fixture.node.child?.exitCode).toBeNull()
  await fixture.plane.start()
  await until('the site', () => fixture.node.control.sites.has(1))
})

test('an unreadable state is rebuilt by comparing, and nothing that is held is removed', async () => {
  await fixture.run()
  for (const site of [1, 2]) fixture.plane.publish(makeSite(fixture.plane, { site, revision: 1 }))
  await until('two', () => fixture.watermark() === 2)
  await fixture.node.kill()
  writeFileSync(statePath(), '{"epoch":')
  await fixture.run()
  await until('two again', () => fixture.watermark() === 2)
  expect(fixture.node.control.sites.size).toBe(2)
  expect(fixture.plane.reports.at(-1)?.exceptions).toEqual([])
})

test('objects and secrets that were damaged or lost on disk are fetched again at the next start', async () => {
  fixture.plane.secrets.set('1/originCredential@1', Buffer.from('open sesame'))
  const site = makeSite(fixture.plane, { site: 1, revision: 1, secret: 'originCredential@1' })
  await fixture.run()
  fixture.plane.publish(site)
  await until('the site', () => fixture.watermark() === 1)
  await fixture.node.kill()
  const path = (hash: string) => join(fixture.node.folder, 'objects', hash.slice(0, 2), hash)
  const secret = join(fixture.node.folder, 'secrets/1.originCredential@1')
  writeFileSync(path(site.artefact), 'flipped')
  rmSync(path(site.parts.firewall))
  rmSync(secret)
  await fixture.run()
  await until('the secret', () => existsSync(secret))
  // Each is fetched on its own.
  for (const hash of [site.artefact, site.parts.firewall])
    await until('an object as it was', () => {
      const there = existsSync(path(hash)) && readFileSync(path(hash))
      return there && fixture.plane.objects.get(hash)?.equals(there)
    })
})
