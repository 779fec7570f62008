/**
 * The node configuration with the real agent and a real nginx: received, tried, enforced, refused, and kept across
 * restarts.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { type AddressInfo, connect, createServer as createTcp } from 'node:net'
import { join } from 'node:path'
import { defaultConfiguration, type NodeConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildLua } from '../../edge/box/harness.ts'
import { authorityWith } from '../../edge/box/origin-authority.ts'
import { freePort } from '../harness/ports.ts'
import { FakeControlPlane } from './control-plane.ts'
import { TestNode, until } from './node.ts'
import { RealNginx } from './real-nginx.ts'
import { makeSite, origin } from './sites.ts'

let plane: FakeControlPlane
let node: TestNode
let nginx: RealNginx
const answering = createServer((_request, response) => response.end('from the origin'))

beforeAll(async () => {
  await buildLua()
  await new Promise<void>((done) => answering.listen(0, '127.0.0.1', done))
  return () => answering.close()
})

beforeEach(async () => {
  plane = new FakeControlPlane()
  await plane.start()
  plane.secrets.set('0/groupKey@1', Buffer.alloc(32, 7))
  node = new TestNode(plane)
  nginx = await RealNginx.prepare(plane, node)
})

afterEach(async (context) => {
  if (context.task.result?.state === 'fail') console.log(node.output)
  await nginx.stop()
  await node.remove()
  await plane.remove()
})

/** Publishes a site that is served on these ports of the zone. */
function publishSite(ports: number[], to = { port: (answering.address() as AddressInfo).port, tls: false }, more = {}) {
  const { artefact: hash, hosts } = makeSite(plane, { site: 1, revision: 1 })
  const artefact = JSON.parse(plane.objects.get(hash)?.toString() ?? '')
  const settings = JSON.parse(plane.objects.get(artefact.parts.settings)?.toString() ?? '')
  artefact.domains[0].origins = [{ ...origin, ...to }]
  artefact.parts.settings = plane.keep({ ...settings, ...more, ports })
  return plane.publish({ site: 1, revision: 1, hosts, artefact: plane.keep(artefact) })
}

let revision = 0
function configure(changes: Partial<NodeConfiguration> & Record<string, unknown>) {
  revision += 1
  const artefact = plane.keep({ ...defaultConfiguration, zone: 2, revision, ...changes })
  return plane.publish({ site: 0, revision, hosts: [], artefact })
}

const watermark = () => plane.reports.at(-1)?.watermark
const refusal = () => plane.reports.at(-1)?.exceptions.find(({ site }) => site === 0)
const untilEnforced = (sequence: number) =>
  until(`sequence ${sequence}`, () => watermark() === sequence && refusal() === undefined)
const conf = () => readFileSync(join(node.folder, 'nginx.conf'), 'utf8')

const isOpen = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => done(socket.destroy() !== undefined))
    socket.on('error', () => done(false))
  })

test('a port of the zone is opened, closed by a tombstone, and what needs no reload reloads nothing', async () => {
  nginx.start()
  await nginx.enrol()
  const shadow = { rules: plane.keep({ kind: 'wafRules', name: 'in shadow', rules: [] }), percent: 5 }
  const port = await freePort()
  publishSite([port])
  await nginx.untilServed('site1.test')
  await untilEnforced(
    configure({ ports: [{ port, tls: false }], nodes: { 7: { cacheBytes: 32_000_000, spoolBytes: 0 } } }),
  )
  expect(await nginx.visit('site1.test', '/', {}, port)).toMatchObject({ status: 200, text: 'from the origin' })
  expect(conf().includes('max_size=32000000')).toBe(true)

  const workers = await nginx.settledWorkers()
  await untilEnforced(
    configure({
      ports: [{ port, tls: false }],
      nodes: { 7: { cacheBytes: 32_000_000, spoolBytes: 0 } },
      forceSSLRedirectCode: 308,
      tlsLimitCount: 50,
      wafShadow: { ...shadow, node: 7 },
    }),
  )
  expect(await nginx.settledWorkers()).toEqual(workers)
  expect(JSON.parse(readFileSync(join(node.folder, 'configuration.json'), 'utf8'))).toMatchObject({
    forceSSLRedirectCode: 308,
    tlsLimitCount: 50,
    wafShadow: { ...shadow, node: 7 },
  })
  // A rule set in shadow on another node alone is not used here.
  await untilEnforced(
    configure({
      ...{ ports: [{ port, tls: false }], nodes: { 7: { cacheBytes: 32_000_000, spoolBytes: 0 } } },
      ...{ tlsLimitCount: 50, wafShadow: { ...shadow, node: 8 } },
    }),
  )
  expect(JSON.parse(readFileSync(join(node.folder, 'configuration.json'), 'utf8'))).not.toHaveProperty('wafShadow')

  await untilEnforced(plane.publish({ site: 0, revision: 9, hosts: [], artefact: null }))
  // A worker that is shutting down may accept one more connection.
  await expect.poll(() => isOpen(port)).toBe(false)
  await nginx.untilServed('site1.test')
})

test('an origin with a certificate of the operator’s CA is refused without that CA and reached with it, and no old CA file is left', async () => {
  nginx.start()
  await nginx.enrol()
  const { ca, issued } = authorityWith('private.test')
  const { cert, key } = issued['private.test']!
  const secure = createSecure({ cert, key }, (_request, response) => response.end('from behind the authority'))
  await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
  try {
    const { port } = secure.address() as AddressInfo
    publishSite([], { port, tls: true }, { originTls: { verify: 'system', serverName: 'private.test' } })
    const visit = () => nginx.visit('site1.test', '/')
    await until('the refusal', async () => (await visit())?.status === 502)
    await untilEnforced(configure({ originAuthorities: ca }))
    await expect.poll(visit).toMatchObject({ status: 200, text: 'from behind the authority' })
    const files = () => readdirSync(node.folder).filter((name) => name.startsWith('origin-authorities-'))
    const [file] = files()
    // nginx itself verifies origins of gRPC calls.
    for (const who of ['lua', 'grpc'])
      expect(conf()).toContain(`${who}_ssl_trusted_certificate "${join(node.folder, file!)}"`)
    const bad = ca.replace(/MII.{20}/, `MII${'A'.repeat(20)}`)
    configure({ originAuthorities: bad })
    const asked = revision
    expect((await until('the refusal', () => (refusal()?.revision === asked ? refusal() : undefined))).reason).toMatch(
      /^nginx: SSL_CTX_load_verify_locations/,
    )
    expect((await visit())?.status).toBe(200)
    await untilEnforced(configure({}))
    await expect.poll(async () => (await visit())?.status).toBe(502)
    expect(files()).toEqual([])
  } finally {
    secure.close()
  }
})

test('a configuration that nginx rejects is refused with the reason, nothing changes, and the sites stay up', async () => {
  nginx.start()
  await nginx.enrol()
  const before = conf()
  const taken = createTcp()
  await new Promise<void>((done) => taken.listen(0, '0.0.0.0', done))
  const { port } = taken.address() as AddressInfo
  const workers = await nginx.settledWorkers()
  const refused = async (changes: Parameters<typeof configure>[0]) => {
    configure(changes)
    const asked = revision
    return (await until('the refusal', () => (refusal()?.revision === asked ? refusal() : undefined))).reason
  }
  expect(await refused({ ports: [{ port, tls: false }] })).toBe(
    `port ${port} is taken by another program on this machine`,
  )
  expect(await refused({ ports: [{ port: Number(nginx.ports.EDGE_HTTP_PORT), tls: true }] })).toContain('own')
  // An unknown field: all of it is refused, as the unknown part may be protection.
  expect(await refused({ http4: true } as never)).toBe('http4 is unknown')
  expect(await refused({ ports: [{ port: 70_000, tls: true }] })).toMatch(/^ports\.0\.port/)
  // Passes the schema, but not nginx.
  const heads = { ...defaultConfiguration.heads, line: 8193 }
  expect(await refused({ heads })).toMatch(
    /^nginx: "large_client_header_buffers" directive invalid value in nginx.conf:\d+$/,
  )
  expect([conf() === before, await nginx.settledWorkers()]).toEqual([true, workers])
  publishSite([])
  await nginx.untilServed('site1.test')
  // It is retried automatically: the port may be free by then.
  taken.close()
})

test('the last enforced configuration survives a restart of nginx and agent without the control plane', async () => {
  nginx.start()
  await nginx.enrol()
  const port = await freePort()
  publishSite([port])
  await untilEnforced(configure({ ports: [{ port, tls: false }], http2: false }))
  await plane.stop()
  await node.kill()
  await nginx.stop('SIGKILL')
  node.start(nginx.ports, 'render')
  await node.ended()
  expect(conf().includes('ssl http2')).toBe(false)
  nginx.start()
  await nginx.untilServed('site1.test')
  expect(await isOpen(port)).toBe(true)
  // The agent alone finds it too, and changes nothing.
  const before = conf()
  node.output = ''
  node.start(nginx.ports)
  await until('the agent', () => node.output.includes('the agent runs'))
  expect(conf() === before).toBe(true)
})

test('a restored control plane does not revert a newer configuration', async () => {
  nginx.start()
  await nginx.enrol()
  revision += 10
  await untilEnforced(configure({ http2: false }))
  revision -= 5
  plane.epoch += 1
  configure({ http2: true })
  await until('the exception', () => refusal()?.reason.includes('keeps its newer'))
  expect(conf().includes('ssl http2')).toBe(false)
})

test('proxies in front of the zone are trusted, and the node’s disk quota is kept', async () => {
  nginx.start()
  await nginx.enrol({ BREAKWATER_SPOOL_SEGMENT_BYTES: '2000' })
  publishSite([])
  await untilEnforced(configure({ trustedProxies: ['127.0.0.0/8'], nodes: { 7: { cacheBytes: 0, spoolBytes: 4000 } } }))
  plane.ingest = 'busy'
  const forwarded = { 'x-forwarded-for': '198.51.100.7' }
  await until('rows that were dropped', () => {
    void nginx.visit('site1.test', '/', forwarded)
    return plane.reports.some(({ health }) => (health?.droppedRows ?? 0) > 0)
  })
  plane.ingest = 'store'
  const seen = () => plane.received.some(({ rows }) => rows.some(({ address }) => address === '198.51.100.7'))
  await until('the visitor’s address', () => {
    void nginx.visit('site1.test', '/', forwarded)
    return seen()
  })
})
