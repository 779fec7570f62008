/** Becoming a node: once, with keys that stay on the node. */
import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from './node.ts'
import { useWorld } from './world.ts'

const world = useWorld()

test('a node enrols once; later starts use what it has, and need no token', async () => {
  await world.run()
  await world.node.kill()
  world.plane.asked.length = 0
  const before = world.plane.reports.length
  world.node.start()
  await until('the agent reports again', () => world.plane.reports.length > before)
  expect(world.plane.asked).not.toContain('POST /enrol')
})

test('keys and identity are readable by the agent alone, and no secret is in what it says', async () => {
  await world.run()
  const own = join(world.node.folder, 'agent')
  for (const name of ['tls.key', 'seal.key', 'identity.json']) {
    expect(statSync(join(own, name)).mode & 0o777).toBe(0o600)
  }
  expect(statSync(own).mode & 0o777).toBe(0o700)
  const key = readFileSync(join(own, 'tls.key'), 'utf8').split('\n')[1] ?? ''
  expect(key.length).toBeGreaterThan(40)
  expect(world.node.output).not.toContain(key)
})

test('a token that was used ends the agent with a clear message and a code of its own', async () => {
  const token = world.plane.token()
  world.plane.tokens.delete(token)
  world.node.start({ BREAKWATER_ENROL_TOKEN: token })
  expect(await world.node.ended()).toBe(3)
  expect(world.node.output).toContain('it was used, has expired or is unknown')
  expect(world.node.output).not.toContain(token)
})

test('a control plane under another authority is not spoken to', async () => {
  const { cert, key } = world.plane.authority.server
  const other = new (await import('./plane.ts')).Plane()
  try {
    world.plane.authority.server = other.authority.server
    await world.plane.stop()
    await world.plane.start()
    const token = world.plane.token()
    world.node.start({ BREAKWATER_ENROL_TOKEN: token })
    await until('the agent says why', () => world.node.output.includes('cannot enrol yet'))
    expect(world.plane.tokens.has(token)).toBe(true)
  } finally {
    world.plane.authority.server = { cert, key }
    await other.remove()
  }
})

test('a second agent on the same folder ends at once', async () => {
  await world.run()
  const first = world.node.child
  world.node.start()
  expect(await world.node.ended()).toBe(5)
  world.node.child = first
})

test('a missing setting is named', async () => {
  world.node.start({ BREAKWATER_SERVER: 'http://plain.test' })
  expect(await world.node.ended()).toBe(2)
  expect(world.node.output).toContain('BREAKWATER_SERVER must be https://host:port')
  expect(readdirSync(world.node.folder)).not.toContain('agent')
})

test('a certificate of which a third is over is renewed for the same key, kept, and used from then on', async () => {
  world.plane.oldCertificates = true
  try {
    await world.run()
    await until(
      'the renewed certificate to be used',
      () => world.plane.asked.includes('POST /renew') && !world.plane.renewed,
    )
  } finally {
    world.plane.oldCertificates = false
  }
  const text = readFileSync(join(world.node.folder, 'agent/identity.json'), 'utf8')
  const certificate = new X509Certificate((JSON.parse(text) as { certificate: string }).certificate)
  expect(certificate.validFromDate.getTime()).toBeGreaterThan(Date.now() - 3_600_000)
  await world.node.kill()
  world.plane.asked.length = 0
  const before = world.plane.reports.length
  world.node.start()
  await until('the agent reports with it', () => world.plane.reports.length > before)
  expect(world.plane.asked).not.toContain('POST /renew')
})
