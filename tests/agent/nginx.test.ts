/** The agent with a real nginx, from nothing to a served site: `render`, nginx, enrolment, feed, restart, rows. */
import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildLua } from '../../edge/box/harness.ts'
import { FakeControlPlane } from './control-plane.ts'
import { TestNode, until } from './node.ts'
import { RealNginx } from './real-nginx.ts'
import { makeSite, origin } from './sites.ts'

let plane: FakeControlPlane
let node: TestNode
let nginx: RealNginx
let ports: RealNginx['ports']
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
  ports = nginx.ports
})

afterEach(async (context) => {
  if (context.task.result?.state === 'fail') console.log(node.output)
  await nginx.stop()
  await node.remove()
  await plane.remove()
})

const visit = (host: string, path = '/') => nginx.visit(host, path)
const untilServed = (host: string) => nginx.untilServed(host)

function publish(site: number, revision = 1) {
  const { port } = answering.address() as AddressInfo
  const { artefact: hash, ...rest } = makeSite(plane, { site, revision })
  const artefact = JSON.parse(plane.objects.get(hash)?.toString() ?? '')
  artefact.domains[0].origins = [{ ...origin, port }]
  return plane.publish({ site, revision, hosts: rest.hosts, artefact: plane.keep(artefact) })
}

const watermark = () => plane.reports.at(-1)?.watermark

test('render alone lets nginx start; the agent then enrols, tells nginx its identity, and a saved site is served', async () => {
  for (const name of ['default.crt', 'default.key', 'nginx.conf'])
    expect(existsSync(join(node.folder, name))).toBe(true)
  expect(statSync(join(node.folder, 'default.key')).mode & 0o077).toBe(0)
  nginx.start()
  await nginx.enrol()
  const sequence = publish(1)
  await untilServed('site1.test')
  await until('the watermark', () => watermark() === sequence)
  const row = await until('its row', () =>
    plane.received.flatMap(({ rows }) => rows).find(({ domain }) => domain === 'site1.test'),
  )
  expect(row).toMatchObject({ node: 7, zone: 2, site: 1, domain: 'site1.test', status: 200 })
  const health = await until('health', () => plane.reports.findLast((report) => report.health?.nginxVersion)?.health)
  expect(health?.capabilities).toContain('lua')
  expect(health?.opensslVersion).toMatch(/^3\./)
  expect(Object.keys(health?.packages?.versions ?? {}).join()).toMatch(/libssl3/)
  expect(node.output.split('\n').filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('requests that nginx serves before it knows its node have rows and are counted', async () => {
  nginx.start()
  await until('its number', () => existsSync(join(node.folder, 'run/nginx.pid')))
  // It writes its number before it starts them.
  await nginx.settledWorkers()
  publish(1)
  // It continues with its old configuration until it is told of the new one.
  nginx.signal('SIGSTOP')
  node.start({ ...ports, BREAKWATER_ENROL_TOKEN: plane.token() })
  await untilServed('site1.test')
  await visit('site1.test', '/before')
  const stored = () => plane.received.filter(({ duplicate }) => !duplicate)
  const rows = () => stored().flatMap(({ rows }) => rows.flatMap(({ path }) => path ?? []))
  const counted = () =>
    stored().flatMap(({ batch, text }) =>
      batch.kind === 'counters'
        ? text
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line).requests as number)
        : [],
    )
  await until('the row', () => rows().includes('/before'))
  nginx.signal('SIGCONT')
  await nginx.settledWorkers()
  await visit('site1.test', '/after')
  await until('the row of its next configuration', () => rows().includes('/after'))
  await until('each request, once', () => counted().reduce((sum, requests) => sum + requests, 0) === rows().length)
})

test('a killed nginx starts again over its stale sockets and serves from disk, without agent and control plane', async () => {
  nginx.start()
  await nginx.enrol()
  publish(1)
  await untilServed('site1.test')
  await plane.stop()
  await node.kill()
  await nginx.stop('SIGKILL')
  node.start(ports, 'render')
  await node.ended()
  nginx.start()
  await untilServed('site1.test')
})

test('what was published while nginx was away is applied when it is back, and a restarted agent reloads nothing', async () => {
  nginx.start()
  await nginx.enrol()
  await nginx.stop('SIGKILL')
  const sequence = publish(1)
  await until('it asked', () => plane.asked.some((line) => line.startsWith('POST /objects')))
  // The agent itself removes the stale sockets.
  await until('the sockets are gone', () => !existsSync(join(node.folder, 'run/control.sock')))
  nginx.start()
  await untilServed('site1.test')
  await until('the watermark', () => watermark() === sequence)
  await node.kill()
  const before = plane.reports.length
  node.output = ''
  node.start(ports)
  await until('reports', () => plane.reports.length > before + 1)
  expect(node.output).not.toContain('nginx reads its new configuration')
})

test('a log that nginx reopens during the upload loses no row and repeats none', async () => {
  nginx.start()
  await nginx.enrol({ BREAKWATER_SPOOL_SEGMENT_BYTES: '4000' })
  publish(1)
  await untilServed('site1.test')
  const log = join(node.folder, 'spool/requests.log')
  await until('the log', () => existsSync(log))
  // While it is held open, its inode number is not reused.
  const first = openSync(log, 'r')
  for (let round = 0; round < 12; round++) {
    await Promise.all(Array.from({ length: 10 }, (_, at) => visit('site1.test', `/row-${round}-${at}`)))
    await sleep(250)
  }
  const paths = () =>
    plane.received
      .flatMap(({ rows, duplicate }) => (duplicate ? [] : rows))
      .flatMap(({ path }) => (path?.startsWith('/row-') ? path : []))
  await until('all rows', () => paths().length >= 120)
  expect(new Set(paths()).size).toBe(120)
  expect(paths()).toHaveLength(120)
  await until('a log that was opened anew', () => existsSync(log) && statSync(log).ino !== fstatSync(first).ino)
  closeSync(first)
})

test('a site that nginx cannot compile keeps its previous artefact, also when nginx is restarted', async () => {
  nginx.start()
  await nginx.enrol()
  publish(1)
  await untilServed('site1.test')
  const broken = makeSite(plane, { site: 1, revision: 2 })
  const artefact = JSON.parse(plane.objects.get(broken.artefact)?.toString() ?? '')
  const rule = { id: 4, urlRegex: '(', rate: 1, burst: 0, blockType: 1, mode: 'enforce' }
  artefact.parts.firewall = plane.keep({
    kind: 'firewall',
    allowRules: [],
    denyRules: [],
    rateRules: [rule],
    bodyRules: [],
  })
  plane.publish({ site: 1, revision: 2, hosts: broken.hosts, artefact: plane.keep(artefact) })
  const sequence = publish(2)
  await until('the exception', () =>
    plane.reports.at(-1)?.exceptions.some((one) => one.site === 1 && one.revision === 2),
  )
  await until('the watermark', () => watermark() === sequence)
  await untilServed('site2.test')
  await nginx.stop('SIGKILL')
  await until('the sockets are gone', () => !existsSync(join(node.folder, 'run/control.sock')))
  nginx.start()
  await untilServed('site1.test')
})

test('render-lab makes an edge without listeners in a folder of its own', async () => {
  const folder = mkdtempSync(join(node.folder, 'lab-'))
  node.start({ ...ports, BREAKWATER_NODE_DATA: folder }, 'render-lab')
  expect(await node.ended()).toBe(0)
  const conf = readFileSync(join(folder, 'nginx.conf'), 'utf8')
  expect(conf).not.toContain(ports.EDGE_HTTP_PORT)
  expect(conf).toContain('control.sock')
})
