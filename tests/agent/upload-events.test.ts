/** Rows and counters: at least once, with the same sequence number and the same bytes, within bounds. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CounterRow } from '@breakwater/contract/edge/events.ts'
import { lineOfRow, rowMark } from '@breakwater/contract/edge/row-lines.ts'
import { beforeEach, expect, test } from 'vitest'
import { useAgentFixture } from './fixture.ts'
import { until } from './node.ts'
import { makeSite } from './sites.ts'

const fixture = useAgentFixture()
beforeEach(() => {
  fixture.plane.looks = true
})
const spool = (name: string) => join(fixture.node.folder, 'spool', name)

let next = 0
/** Writes rows as nginx does; each has a number of its own. */
function write(rows: number, { site = 1, node = 7, filler = '' } = {}) {
  mkdirSync(spool(''), { recursive: true })
  const lines = Array.from({ length: rows }, () =>
    lineOfRow({ time: 1, node, zone: 2, site, requestId: `r${next++}`, path: `/\tv1\t9 ${filler}` }),
  )
  appendFileSync(spool('requests.log'), lines.join(''))
}

const idsOf = (text: string) =>
  [...text.matchAll(new RegExp(`^${rowMark}\\t(?:\\S+\\t){5}(r\\d+)\\t`, 'gm'))].map((match) => match[1])
const stored = () => fixture.plane.received.filter(({ duplicate }) => !duplicate).flatMap(({ text }) => idsOf(text))
const all = (count: number) => Array.from({ length: count }, (_, at) => `r${at}`)

async function serve(...sites: number[]) {
  for (const site of sites) fixture.plane.publish(makeSite(fixture.plane, { site, revision: 1 }))
  await until('the sites', () => fixture.watermark() === fixture.plane.head)
}

test('rows are uploaded within a second if somebody is watching, in order and complete; half a line waits for its rest', async () => {
  next = 0
  await fixture.run()
  write(3)
  const last = lineOfRow({ time: 1, node: 7, site: 1, requestId: `r${next++}` })
  appendFileSync(spool('requests.log'), last.slice(0, 40))
  await until('three', () => stored().length === 3)
  appendFileSync(spool('requests.log'), last.slice(40))
  await until('four', () => stored().length === 4)
  expect(stored()).toEqual(all(4))
  expect(fixture.plane.received.map(({ batch }) => batch.rows)).toEqual([3, 1])
})

test('rows of a machine whose clock is ten minutes behind are reported with the right time, also in a batch that is sent again', async () => {
  next = 0
  fixture.plane.ahead = 600
  fixture.plane.ingest = 'lose'
  await fixture.run()
  write(2)
  await until('it was sent', () => fixture.plane.received.length > 0)
  await until('the node says so', () =>
    fixture.plane.reports.some(({ problem }) => problem?.match(/clock is (599|600|601) s behind/)),
  )
  await fixture.node.kill()
  // The clock is corrected meanwhile: a batch that was begun is sent unchanged.
  fixture.plane.ahead = 0
  fixture.plane.ingest = 'store'
  const before = fixture.plane.received.length
  await fixture.run()
  await until('it is sent again', () => fixture.plane.received.length > before)
  const again = fixture.plane.received[before]!
  expect(again.bytes).toBe(fixture.plane.received[0]!.bytes)
  const times = [...again.text.matchAll(new RegExp(`^${rowMark}\\t(\\d+)`, 'gm'))].map(([, time]) => Number(time))
  expect(times.every((time) => Math.abs(time - 601) <= 1) && times.length).toBe(2)
  await until('the node is well', () => fixture.plane.reports.at(-1)?.problem === undefined)
})

test('a batch whose receipt was lost is sent again after a kill, with the same number and the same bytes', async () => {
  next = 0
  write(10)
  fixture.plane.ingest = 'lose'
  await fixture.run()
  await until('it was sent', () => fixture.plane.received.length > 0)
  await fixture.node.kill()
  const [first] = fixture.plane.received
  write(10)
  fixture.plane.ingest = 'store'
  const before = fixture.plane.received.length
  await fixture.run()
  await until('all twenty', () => stored().length === 20)
  const again = fixture.plane.received[before]
  expect(again?.batch).toEqual(first?.batch)
  expect(again?.bytes).toBe(first?.bytes)
  expect(again?.duplicate).toBe(true)
  expect(stored()).toEqual(all(20))
})

test('after random kills during uploads, every row is stored exactly once', async () => {
  next = 0
  await fixture.run()
  for (let round = 0; round < 6; round++) {
    write(7000)
    await sleep(Math.random() * 400)
    await fixture.node.kill()
    fixture.node.start()
    await sleep(Math.random() * 700)
  }
  await until('all of them', () => stored().length >= 42_000)
  expect(stored()).toEqual(all(42_000))
})

test('a long log is renamed, and removed once uploaded; nothing is lost on the way', async () => {
  next = 0
  await fixture.run({ BREAKWATER_SPOOL_SEGMENT_BYTES: '20000' })
  for (let round = 0; round < 4; round++) {
    write(200)
    await until(
      'it is renamed',
      () => !existsSync(spool('requests.log')) || readFileSync(spool('requests.log')).length < 20_000,
    )
    await sleep(300)
  }
  write(1)
  await until('all of them', () => stored().length === 801)
  expect(stored()).toEqual(all(801))
  await until(
    'only the live one is left',
    () => readdirSync(spool('')).filter((name) => name.startsWith('requests')).length === 1,
  )
})

test('a spool above its quota drops its oldest rows, counts them, and samples before that', async () => {
  next = 0
  fixture.plane.ingest = 'busy'
  await fixture.run({ BREAKWATER_SPOOL_SEGMENT_BYTES: '50000', BREAKWATER_SPOOL_BYTES: '300000' })
  for (let round = 0; round < 6; round++) {
    write(100, { filler: 'x'.repeat(600) })
    await sleep(1200)
  }
  await until('rows are dropped', () => fixture.plane.reports.some((report) => (report.health?.droppedRows ?? 0) > 0))
  expect(Math.max(...fixture.node.control.weights)).toBe(64)
  fixture.plane.ingest = 'store'
  await until('the rest is uploaded', () => stored().at(-1) === 'r599')
  await until('sampling ends', () => fixture.node.control.weights.at(-1) === 1)
  const dropped = await until('health', () => {
    const health = fixture.plane.reports.at(-1)?.health
    return health && health.droppedRows + stored().length === 600 ? health.droppedRows : undefined
  })
  expect(dropped).toBeGreaterThan(0)
})

test('rows of a removed site are taken out when they are refused; rows of no site, or of another node, are not sent', async () => {
  next = 0
  await fixture.run()
  await serve(1, 2)
  fixture.plane.refuseSites.add(3)
  write(2, { site: 1 })
  write(2, { site: 3 })
  write(2, { site: 0 })
  write(2, { site: 2, node: 8 })
  // nginx did not know the node's number yet.
  write(1, { site: 2, node: 0 })
  write(1, { site: 2 })
  await until('those of the sites here', () => stored().length === 4)
  expect(stored()).toEqual(['r0', 'r1', 'r8', 'r9'])
})

const minute = Math.floor(Date.now() / 60_000) * 60 - 600
const delta = (over: Partial<CounterRow>): CounterRow => ({
  minute,
  node: 7,
  zone: 2,
  site: 1,
  status: 200,
  cause: 0,
  cache: 'HIT',
  action: 'pass',
  requests: 1,
  bytesSent: 10,
  bytesReceived: 1,
  originRequests: 0,
  ...over,
})
const count = (...rows: Partial<CounterRow>[]) =>
  appendFileSync(spool('counters.log'), rows.map((row) => `${JSON.stringify(delta(row))}\n`).join(''))
const counted = () =>
  fixture.plane.received
    .filter(({ batch, duplicate }) => batch.kind === 'counters' && !duplicate)
    .flatMap(({ text }) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as CounterRow),
    )

test('counters are exact across kills and lost receipts', async () => {
  mkdirSync(spool(''), { recursive: true })
  fixture.plane.ingest = 'lose'
  count({}, { status: 404 }, {}, { minute: Math.floor(Date.now() / 60_000) * 60 + 60 })
  await fixture.run()
  for (let round = 0; round < 5; round++) {
    count({ minute: minute + round * 60 }, { minute: minute + round * 60, site: 2 }, {})
    await sleep(Math.random() * 1300)
    await fixture.node.kill()
    if (round === 3) fixture.plane.ingest = 'store'
    fixture.node.start()
    await sleep(300 + Math.random() * 900)
  }
  const sum = (of: (row: CounterRow) => boolean) =>
    counted()
      .filter(of)
      .reduce((total, { requests }) => total + requests, 0)
  await until('all that was added', () => sum(() => true) === 19)
  expect(sum(({ site, status }) => site === 1 && status === 200)).toBe(13)
  expect(sum(({ status }) => status === 404)).toBe(1)
  expect(sum(({ site }) => site === 2)).toBe(5)
  await sleep(1500)
  expect(sum(() => true)).toBe(19)
})

test('counts are reported within seconds, before their minute is over; late ones are reported separately', async () => {
  mkdirSync(spool(''), { recursive: true })
  const open = Math.floor(Date.now() / 60_000) * 60
  const before = counted().length
  await fixture.run()
  count({ minute: open, requests: 3 })
  await until('the open minute', () => counted().length === before + 1)
  const reach = () => fixture.plane.reports.at(-1)?.health?.countersUntil ?? 0
  const told = Date.now() / 1000
  await until('a reach beyond that', () => reach() >= told)
  count({ minute: open, requests: 2 }, { minute: open - 120 })
  await until('the rest', () => counted().length === before + 3)
  expect(
    counted()
      .slice(before)
      .map(({ minute: at, requests }) => [at, requests]),
  ).toEqual([
    [open, 3],
    [open, 2],
    [open - 120, 1],
  ])
})

test('while the control plane is away the reach stays, and afterwards everything is reported once', async () => {
  mkdirSync(spool(''), { recursive: true })
  const sum = () => counted().reduce((total, { requests }) => total + requests, 0)
  const before = sum()
  await fixture.run()
  const health = () => fixture.plane.reports.filter((report) => report.health)
  const reach = () => health().at(-1)?.health?.countersUntil ?? 0
  await until('a reach', () => reach() > 0)
  fixture.plane.ingest = 'busy'
  const refusedFrom = Date.now() / 1000
  count({ requests: 7 })
  const reports = health().length
  await until('two reports', () => health().length >= reports + 2)
  expect(reach()).toBeLessThanOrEqual(refusedFrom + 5)
  fixture.plane.ingest = 'store'
  await until('it is told', () => sum() === before + 7)
  await until('the reach goes on', () => reach() > refusedFrom + 5)
})
