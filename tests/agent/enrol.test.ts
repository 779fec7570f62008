/** Enrolment: once, with keys that never leave the node. */
import { X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useAgentFixture } from './fixture.ts'
import { until } from './node.ts'

const fixture = useAgentFixture()

test('a node enrols once; later starts use its stored identity and need no token', async () => {
  await fixture.run()
  await fixture.node.kill()
  fixture.plane.asked.length = 0
  const before = fixture.plane.reports.length
  fixture.node.start()
  await until('the agent reports again', () => fixture.plane.reports.length > before)
  expect(fixture.plane.asked).not.toContain('POST /enrol')
})

test('keys and identity are readable by the agent alone, and its output contains no secret', async () => {
  await fixture.run()
  const own = join(fixture.node.folder, 'agent')
  for (const name of ['tls.key', 'seal.key', 'identity.json']) {
    expect(statSync(join(own, name)).mode & 0o777).toBe(0o600)
  }
  expect(statSync(own).mode & 0o777).toBe(0o700)
  const key = readFileSync(join(own, 'tls.key'), 'utf8').split('\n')[1] ?? ''
  expect(key.length).toBeGreaterThan(40)
  expect(fixture.node.output).not.toContain(key)
})

test('a used token makes the agent exit with a clear message and its own exit code', async () => {
  const token = fixture.plane.token()
  fixture.plane.tokens.delete(token)
  fixture.node.start({ BREAKWATER_ENROL_TOKEN: token })
  expect(await fixture.node.ended()).toBe(3)
  expect(fixture.node.output).toContain('it was used, has expired or is unknown')
  expect(fixture.node.output).not.toContain(token)
})

test('the agent does not talk to a control plane with a certificate of another CA', async () => {
  const { cert, key } = fixture.plane.authority.server
  const other = new (await import('./control-plane.ts')).FakeControlPlane()
  try {
    fixture.plane.authority.server = other.authority.server
    await fixture.plane.stop()
    await fixture.plane.start()
    const token = fixture.plane.token()
    fixture.node.start({ BREAKWATER_ENROL_TOKEN: token })
    await until('the agent says why', () => fixture.node.output.includes('cannot enrol yet'))
    expect(fixture.plane.tokens.has(token)).toBe(true)
  } finally {
    fixture.plane.authority.server = { cert, key }
    await other.remove()
  }
})

test('a second agent on the same folder exits at once', async () => {
  await fixture.run()
  const first = fixture.node.child
  fixture.node.start()
  expect(await fixture.node.ended()).toBe(5)
  fixture.node.child = first
})

test('an invalid setting is named', async () => {
  fixture.node.start({ BREAKWATER_SERVER: 'http://plain.test' })
  expect(await fixture.node.ended()).toBe(2)
  expect(fixture.node.output).toContain('BREAKWATER_SERVER must be https://host:port')
  expect(readdirSync(fixture.node.folder)).not.toContain('agent')
})

test('a certificate past a third of its lifetime is renewed for the same key, stored, and used from then on', async () => {
  fixture.plane.oldCertificates = true
  try {
    await fixture.run()
    await until(
      'the renewed certificate to be used',
      () => fixture.plane.asked.includes('POST /renew') && !fixture.plane.renewed,
    )
  } finally {
    fixture.plane.oldCertificates = false
  }
  const text = readFileSync(join(fixture.node.folder, 'agent/identity.json'), 'utf8')
  const certificate = new X509Certificate((JSON.parse(text) as { certificate: string }).certificate)
  expect(certificate.validFromDate.getTime()).toBeGreaterThan(Date.now() - 3_600_000)
  await fixture.node.kill()
  fixture.plane.asked.length = 0
  const before = fixture.plane.reports.length
  fixture.node.start()
  await until('the agent reports with it', () => fixture.plane.reports.length > before)
  expect(fixture.plane.asked).not.toContain('POST /renew')
})
