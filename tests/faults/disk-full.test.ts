/**
 * A full disk under a node: all requests are served, nothing is half-applied, and it resumes by itself once there is
 * space again.
 */
import { closeSync, existsSync, readFileSync, statSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { rowOfLine } from '@breakwater/contract/edge/row-lines.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildLua } from '../../edge/box/harness.ts'
import { openLog } from '../../script/supervisor/log-file.ts'
import { FakeControlPlane } from '../agent/control-plane.ts'
import { TestNode, until } from '../agent/node.ts'
import { RealNginx } from '../agent/real-nginx.ts'
import { watchPace } from '../harness/pace.ts'
import { type SmallDisk, smallDisk } from '../harness/small-disk.ts'
import { Draft } from './draft.ts'

const plane = new FakeControlPlane()
const body = 'x'.repeat(20_000)
const origin = createServer((_request, response) =>
  response.writeHead(200, { 'cache-control': 'public, max-age=600', 'content-length': body.length }).end(body),
)
let disk: SmallDisk
let node: TestNode
let nginx: RealNginx

const draft = (site: number, revision: number) =>
  new Draft(plane, site, revision, (origin.address() as AddressInfo).port)

beforeAll(async () => {
  await buildLua()
  await new Promise<void>((done) => origin.listen(0, '127.0.0.1', done))
  await plane.start()
  plane.secrets.set('0/groupKey@1', Buffer.alloc(32, 7))
  disk = await smallDisk(64)
  node = new TestNode(plane, disk.folder, disk.within)
  nginx = await RealNginx.prepare(plane, node)
  nginx.start()
  await nginx.enrol({ BREAKWATER_SPOOL_SEGMENT_BYTES: '20000' })
  for (const site of [1, 2]) plane.publish(draft(site, 1).entry())
  await until('both sites', () => plane.reports.at(-1)?.watermark === plane.head)
})

afterAll(async () => {
  await nginx?.stop()
  await node?.kill()
  await disk?.close()
  await plane.remove()
  origin.close()
})

let asked = 0
/** The last revision that site 1 was seen at; it must never go back. */
let served = 1
/**
 * Sends this many requests, some cached and some not; returns the wrong responses. Site 1 may have moved on, to
 * `newest` at most.
 */
async function visits(count: number, newest: number) {
  const wrong: string[] = []
  for (let at = 0; at < count; at++) {
    const site = 1 + (at % 2)
    const fresh = at % 4 < 2
    const reply = await nginx.visit(`site${site}.test`, fresh ? `/new-${asked++}` : '/kept')
    const version = `${reply?.headers['x-version']}`
    const [of, revision = 0] = version.split('.').map(Number)
    const due = of === site && (site === 1 ? revision >= served && revision <= newest : revision === 1)
    if (reply?.status !== 200 || reply.text !== body || !due) wrong.push(`${site} ${reply?.status} ${version}`)
    else if (site === 1) served = revision
  }
  return wrong
}

const idsOf = (text: string) => text.split('\n').flatMap((line) => rowOfLine(line)?.requestId ?? [])
const stored = () => plane.received.filter(({ duplicate }) => !duplicate).flatMap(({ text }) => idsOf(text))

test('with no byte left every request is answered, cached or not', async () => {
  expect(await visits(40, 1)).toEqual([])
  // The disk fills up gradually: the last byte goes some time after the space that nodes reserve for their settings.
  disk.fill(500_000)
  // Each worker checks for itself, once a second.
  const workers = Number(/^worker_processes (\d+);/m.exec(readFileSync(join(disk.outside, 'nginx.conf'), 'utf8'))?.[1])
  await until('every worker to see it', () => {
    const lines = readFileSync(join(disk.outside, 'spool/error.log'), 'utf8').split('\n')
    const told = lines.flatMap((line) => /\[warn\] (\d+)#.*nothing new is cached/.exec(line)?.[1] ?? [])
    return new Set(told).size >= workers
  })
  disk.fill()
  expect(await visits(400, 1)).toEqual([])
})

test('a change that arrives meanwhile is not half-applied, and the agent survives', async () => {
  const child = node.child
  plane.publish(draft(1, 2).entry())
  await until('the agent says why', () => /ENOSPC|no space/i.test(node.output) && node.output)
  // The node drops its oldest rows to make space for settings, so the change may arrive before other space is free:
  // completely, or not at all.
  expect(await visits(40, 2)).toEqual([])
  expect(node.child).toBe(child)
  expect(child?.exitCode).toBeNull()
})

test('with space again the change is applied within 10 s, without a restart, and every written row arrives once', async () => {
  const [at, pace] = [performance.now(), watchPace()]
  disk.free()
  await until('the change', () => plane.reports.at(-1)?.watermark === plane.head)
  const appliedMs = performance.now() - at
  expect(appliedMs).toBeLessThan(pace.within(10_000))
  pace.stop()
  const reply = await nginx.visit('site1.test', '/kept')
  expect(reply?.headers['x-version']).toBe('1.2')
  const before = stored().length
  expect(await visits(40, 2)).toEqual([])
  await until('the rows since', () => stored().length >= before + 40)
  expect(new Set(stored()).size).toBe(stored().length)
  const state = JSON.parse(readFileSync(join(disk.outside, 'agent/state.json'), 'utf8'))
  expect(state.after).toBe(plane.head)
  console.log(
    `440 requests without a byte left: 0 failed; a change is applied ${Math.round(appliedMs)} ms after room came`,
  )
})

test('a log that must be rotated on a full disk is dropped, and its space is free again', async () => {
  const small = await smallDisk(20)
  try {
    const log = openLog(join(small.outside, 'logs/api.log'))
    writeSync(log.file, Buffer.alloc(17_000_000, 'x'))
    log.bound()
    expect(statSync(log.path).size).toBe(0)
    expect(existsSync(`${log.path}.1`)).toBe(false)
    closeSync(log.file)
  } finally {
    await small.close()
  }
})
