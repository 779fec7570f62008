/** Rows and counters: at least once, under the same number with the same bytes, within bounds. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CounterRow } from '@breakwater/contract/edge/events.ts'
import { expect, test } from 'vitest'
import { until } from './node.ts'
import { makeSite } from './sites.ts'
import { useWorld } from './world.ts'

const world = useWorld()
const spool = (name: string) => join(world.node.folder, 'spool', name)

let next = 0
/** Writes rows as nginx does; each has a number of its own. */
function write(rows: number, { site = 1, node = 7, filler = '' } = {}) {
  mkdirSync(spool(''), { recursive: true })
  const lines = Array.from({ length: rows }, () =>
    JSON.stringify({ time: 1, node, zone: 2, site, requestId: `r${next++}`, path: `/"site":9 ${filler}` }),
  )
  appendFileSync(spool('requests.log'), lines.map((line) => `${line}\n`).join(''))
}

const idsOf = (text: string) => [...text.matchAll(/"requestId":"(r\d+)"/g)].map((match) => match[1])
const stored = () => world.plane.received.filter(({ duplicate }) => !duplicate).flatMap(({ text }) => idsOf(text))
const all = (count: number) => Array.from({ length: count }, (_, at) => `r${at}`)

async function serve(...sites: number[]) {
  for (const site of sites) world.plane.publish(makeSite(world.plane, { site, revision: 1 }))
  await until('the sites', () => world.watermark() === world.plane.head)
}

test('rows are shipped within a second, in order and whole; half a line waits for its rest', async () => {
  next = 0
  await world.run()
  write(3)
  appendFileSync(spool('requests.log'), '{"time":1,"node":7,"site":1,"requestId":"r3"')
  await until('three', () => stored().length === 3)
  appendFileSync(spool('requests.log'), '}\n')
  await until('four', () => stored().length === 4)
  expect(stored()).toEqual(all(4))
  expect(world.plane.received.map(({ batch }) => batch.rows)).toEqual([3, 1])
})

test('rows of a machine whose clock is ten minutes behind are told at the right time, also a batch that is sent again', async () => {
  next = 0
  world.plane.ahead = 600
  world.plane.ingest = 'lose'
  await world.run()
  write(2)
  await until('it was sent', () => world.plane.received.length > 0)
  await until('the node says so', () =>
    world.plane.reports.some(({ problem }) => problem?.match(/clock is (599|600|601) s behind/)),
  )
  await world.node.kill()
  // Put right meanwhile: what was begun is sent as it was.
  world.plane.ahead = 0
  world.plane.ingest = 'store'
  const before = world.plane.received.length
  await world.run()
  await until('it is sent again', () => world.plane.received.length > before)
  const again = world.plane.received[before]!
  expect(again.bytes).toBe(world.plane.received[0]!.bytes)
  const times = [...again.text.matchAll(/"time":(\d+)/g)].map(([, time]) => Number(time))
  expect(times.every((time) => Math.abs(time - 601) <= 1) && times.length).toBe(2)
  await until('the node is well', () => world.plane.reports.at(-1)?.problem === undefined)
})

test('a batch whose receipt was lost is sent again after a kill, under the same number with the same bytes', async () => {
  next = 0
  write(10)
  world.plane.ingest = 'lose'
  await world.run()
  await until('it was sent', () => world.plane.received.length > 0)
  await world.node.kill()
  const [first] = world.plane.received
  write(10)
  world.plane.ingest = 'store'
  const before = world.plane.received.length
  await world.run()
  await until('all twenty', () => stored().length === 20)
  const again = world.plane.received[before]
  expect(again?.batch).toEqual(first?.batch)
  expect(again?.bytes).toBe(first?.bytes)
  expect(again?.duplicate).toBe(true)
  expect(stored()).toEqual(all(20))
})

test('killed at random while shipping, every row is stored exactly once', async () => {
  next = 0
  await world.run()
  for (let round = 0; round < 6; round++) {
    write(7000)
    await sleep(Math.random() * 400)
    await world.node.kill()
    world.node.start()
    await sleep(Math.random() * 700)
  }
  await until('all of them', () => stored().length >= 42_000, 25_000)
  expect(stored()).toEqual(all(42_000))
}, 60_000)

test('a long log is renamed and removed when shipped; nothing is lost on the way', async () => {
  next = 0
  await world.run({ BREAKWATER_SPOOL_SEGMENT_BYTES: '20000' })
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
}, 40_000)

test('a spool above its quota drops its oldest rows, counts them, and samples before that', async () => {
  next = 0
  world.plane.ingest = 'busy'
  await world.run({ BREAKWATER_SPOOL_SEGMENT_BYTES: '50000', BREAKWATER_SPOOL_BYTES: '300000' })
  for (let round = 0; round < 6; round++) {
    write(100, { filler: 'x'.repeat(600) })
    await sleep(1200)
  }
  await until(
    'rows are dropped',
    () => world.plane.reports.some((report) => (report.health?.droppedRows ?? 0) > 0),
    20_000,
  )
  expect(Math.max(...world.node.control.weights)).toBe(64)
  world.plane.ingest = 'store'
  await until('the rest is shipped', () => stored().at(-1) === 'r599', 40_000)
  await until('sampling ends', () => world.node.control.weights.at(-1) === 1, 20_000)
  const dropped = await until('health', () => {
    const health = world.plane.reports.at(-1)?.health
    return health && health.droppedRows + stored().length === 600 ? health.droppedRows : undefined
  })
  expect(dropped).toBeGreaterThan(0)
}, 90_000)

test('rows of a site that left are taken out when they are refused; rows of nobody are not sent', async () => {
  next = 0
  await world.run()
  await serve(1, 2)
  world.plane.refuseSites.add(3)
  write(2, { site: 1 })
  write(2, { site: 3 })
  write(2, { site: 0 })
  write(2, { site: 2, node: 0 })
  write(2, { site: 2 })
  await until('those of the sites here', () => stored().length === 4, 20_000)
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
  requests: 1,
  bytesSent: 10,
  bytesReceived: 1,
  originRequests: 0,
  ...over,
})
const count = (...rows: Partial<CounterRow>[]) =>
  appendFileSync(spool('counters.log'), rows.map((row) => `${JSON.stringify(delta(row))}\n`).join(''))
const counted = () =>
  world.plane.received
    .filter(({ batch, duplicate }) => batch.kind === 'counters' && !duplicate)
    .flatMap(({ text }) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as CounterRow),
    )

test('counters are summed to whole minutes and exact across kills and lost receipts', async () => {
  mkdirSync(spool(''), { recursive: true })
  world.plane.ingest = 'lose'
  // The last one's minute is not over before the test is, whenever in a minute that begins.
  count({}, { status: 404 }, {}, { minute: Math.floor(Date.now() / 60_000) * 60 + 60 })
  await world.run()
  for (let round = 0; round < 5; round++) {
    count({ minute: minute + round * 60 }, { minute: minute + round * 60, site: 2 }, {})
    await sleep(Math.random() * 1300)
    await world.node.kill()
    if (round === 3) world.plane.ingest = 'store'
    world.node.start()
    await sleep(300 + Math.random() * 900)
  }
  const sum = (of: (row: CounterRow) => boolean) =>
    counted()
      .filter(of)
      .reduce((total, { requests }) => total + requests, 0)
  await until('all closed minutes', () => sum(() => true) === 18, 20_000)
  expect(sum(({ site, status }) => site === 1 && status === 200)).toBe(12)
  expect(sum(({ status }) => status === 404)).toBe(1)
  expect(sum(({ site }) => site === 2)).toBe(5)
  await sleep(1500)
  expect(sum(() => true)).toBe(18)
}, 60_000)
