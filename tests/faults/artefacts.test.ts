/**
 * What a compromised or broken control plane, or a broken disk, delivers to a node: it is stopped and reported, and no
 * site's traffic changes.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { FeedReply } from '@breakwater/contract/edge/node-api.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildLua } from '../../edge/box/harness.ts'
import { FakeControlPlane } from '../agent/control-plane.ts'
import { TestNode, until } from '../agent/node.ts'
import { RealNginx } from '../agent/real-nginx.ts'
import { bytesThatAreBad } from './bad-artefacts.ts'
import { pagesThatAreBad } from './bad-pages.ts'
import { Draft } from './draft.ts'

const plane = new FakeControlPlane()
const origin = createServer((_request, response) => response.writeHead(200, { 'cache-control': 'no-store' }).end('ok'))
let node: TestNode
let nginx: RealNginx

const neighbours = [901, 902]
const faulty = bytesThatAreBad.map(([what, says, spoil], at) => ({ what, says, spoil, site: at + 2 }))
const onDisk = [801, 802, 803, 804, 805, 806]
const everybody = [...neighbours, ...onDisk, ...faulty.map(({ site }) => site)]

const draft = (site: number, revision: number) =>
  new Draft(plane, site, revision, (origin.address() as AddressInfo).port)
const watermark = () => plane.reports.at(-1)?.watermark ?? 0
const exception = (site: number) => plane.reports.at(-1)?.exceptions.find((one) => one.site === site)
/** Site and revision that answer a host: `2.1`. */
const version = async (site: number) => {
  const reply = await nginx.visit(`site${site}.test`)
  return reply?.status === 200 ? reply.headers['x-version'] : `${reply?.status}`
}
const saidOf = (site: number) => node.output.split('\n').filter((line) => line.includes(`"site":${site},`))

/** Revision that each site is expected to serve: 1 unless a good change arrived. */
const expected = new Map(everybody.map((site) => [site, 1]))
async function nobodyIsTouched() {
  const seen = await Promise.all(everybody.map(async (site) => [site, await version(site)] as const))
  const wrong = seen.filter(([site, answer]) => answer !== `${site}.${expected.get(site)}`)
  expect(wrong).toEqual([])
}

async function restartNginx() {
  await nginx.stop('SIGKILL')
  node.output = ''
  // A dead nginx leaves its sockets; on a real machine the unit that starts nginx removes them first.
  for (const name of ['control', 'fetch', 'relay']) rmSync(join(node.folder, `run/${name}.sock`), { force: true })
  nginx.start()
  await until('nginx is back', () => {
    void nginx.visit('site901.test').then((reply) => {
      if (reply) node.output += ' nginx answers '
    })
    return node.output.includes(' nginx answers ')
  })
}

beforeAll(async () => {
  await buildLua()
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done))
  await plane.start()
  plane.secrets.set('0/groupKey@1', Buffer.alloc(32, 7))
  node = new TestNode(plane)
  nginx = await RealNginx.prepare(plane, node)
  nginx.start()
  await nginx.enrol()
  for (const site of everybody) plane.publish(draft(site, 1).entry())
  await until('everybody is served', () => watermark() === plane.head)
  await nobodyIsTouched()
  for (const { site, spoil } of faulty) plane.publish(spoil(draft(site, 2)))
  expected.set(901, 2)
  plane.publish(draft(901, 2).entry())
  await until('the good change among the bad ones', () => watermark() === plane.head)
})

afterAll(async () => {
  await nginx?.stop()
  await node?.remove()
  await plane.remove()
  origin.close()
})

describe('a bad artefact affects only its own site, which keeps the previous one', () => {
  test.each(faulty)('$what', async ({ says, site }) => {
    expect(exception(site)).toMatchObject({ revision: 2, reason: expect.stringMatching(says) })
    expect(saidOf(site).some((line) => says.test(JSON.parse(line).reason))).toBe(true)
    expect(await version(site)).toBe(`${site}.1`)
  })

  test('every other site serves what was published, also after nginx was killed and restarted', async () => {
    await nobodyIsTouched()
    await restartNginx()
    await nobodyIsTouched()
    expect(plane.reports.at(-1)?.exceptions).toHaveLength(faulty.length)
  })

  test('an invalid entry is an exception of its site, and the rest of its page is applied', async () => {
    plane.publish({ ...draft(902, 2).entry(), hosts: ['not a host'] })
    expected.set(901, 3)
    plane.publish(draft(901, 3).entry())
    await until('the good one', () => watermark() === plane.head)
    expect(exception(902)?.reason).toMatch(/^entry: hosts/)
    await nobodyIsTouched()
  })
})

describe('an untrustworthy page changes nothing, and the control plane is told why', () => {
  beforeAll(() => {
    plane.publish(draft(902, 3).entry())
  })

  test.each(pagesThatAreBad)('%s', async (_what, says, spoil) => {
    node.output = ''
    plane.tamper = (reply) => spoil(reply, plane, Number(plane.asked.at(-1)?.match(/after=(\d+)/)?.[1])) as FeedReply
    await until('the reason', () => {
      plane.wake('feed')
      return says.test(node.output) && says.test(plane.reports.at(-1)?.problem ?? '')
    })
    await nobodyIsTouched()
  })

  test('the genuine page is applied afterwards, and the reason is cleared', async () => {
    plane.tamper = undefined
    plane.wake('feed')
    expected.set(902, 3)
    await until('the honest page', () => watermark() === plane.head && plane.reports.at(-1)?.problem === undefined)
    await nobodyIsTouched()
  })
})

/** What happens to an object's file on a node's disk. */
const diskFaults: [what: string, site: number, spoil: (path: string, other: string) => void][] = [
  ['no bytes', 801, (path) => writeFileSync(path, '')],
  ['half of it', 802, (path) => writeFileSync(path, readFileSync(path).subarray(0, 100))],
  ['garbage', 803, (path) => writeFileSync(path, Buffer.alloc(500, 0xfe))],
  ['another site’s artefact', 804, (path, other) => writeFileSync(path, readFileSync(other))],
  ['gone', 805, (path) => rmSync(path)],
  ['twice', 806, (path) => writeFileSync(path, Buffer.concat([readFileSync(path), readFileSync(path)]))],
]

describe('objects that are damaged on disk', () => {
  const artefacts = new Map<number, string>()
  const path = (hash: string) => join(node.folder, 'objects', hash.slice(0, 2), hash)
  const errors = () => readFileSync(join(node.folder, 'spool/error.log'), 'utf8')

  beforeAll(async () => {
    for (const site of onDisk) {
      const entry = draft(site, 2).entry()
      artefacts.set(site, entry.artefact ?? '')
      plane.publish(entry)
    }
    await until('the second revisions', () => watermark() === plane.head)
    await node.kill()
    for (const [, site, spoil] of diskFaults) {
      spoil(path(artefacts.get(site) ?? ''), path(artefacts.get(site === 804 ? 801 : 804) ?? ''))
      // All but one are lost for good: the control plane no longer has them either.
      if (site !== 801) plane.objects.delete(artefacts.get(site) ?? '')
    }
    await restartNginx()
  })

  test.each(diskFaults)('%s: the site is served as before, and nginx says so', async (_what, site) => {
    expect(await version(site)).toBe(`${site}.1`)
    expect(errors()).toMatch(
      new RegExp(`site ${site} keeps an older artefact: artefact [0-9a-f]{12} is missing or damaged`),
    )
  })

  test('without the agent every other site serves what was published', nobodyIsTouched)

  test('the agent fetches again what is available, and reports what is not', async () => {
    node.start(nginx.ports)
    await until('the exceptions', () => onDisk.slice(1).every((site) => exception(site)))
    for (const site of onDisk.slice(1)) expect(exception(site)?.reason).toMatch(/is missing or damaged/)
    expect(saidOf(802).length).toBeGreaterThan(0)
    expected.set(801, 2)
    await until('the one that could be had', () => exception(801) === undefined && watermark() === plane.head)
    await nobodyIsTouched()
  })
})
