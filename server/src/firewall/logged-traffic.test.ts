import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LogServer, startLogServer } from '../logs/testing/log-server.ts'
import { type LoggedColumns, planReading, readSlice } from './logged-traffic.ts'

let server: LogServer
const end = Math.floor(Date.now() / 600_000) * 600
const span = { fromMs: (end - 3600) * 1000, toMs: end * 1000 }

beforeAll(async () => {
  server = await startLogServer()
  // One request per second for half an hour, from two visitors alternately, and a flood of one minute.
  const steady = Array.from({ length: 1800 }, (_, i) => ({ time: end - 3600 + i + 0.5, address: `192.0.2.${i % 2}` }))
  const flood = Array.from({ length: 3000 }, (_, i) => ({ time: end - 600 + 120 + i / 50, path: '/flood' }))
  await server.uploadEvents([...steady, ...flood].map((row) => ({ ...row, requestTime: 0 })))
})
afterAll(() => server.stop())

async function read(rowsMax: number) {
  const { site } = server.mine
  const plan = await planReading(server.services.events, site, span, rowsMax)
  const slices: LoggedColumns[] = []
  for (const slice of plan.slices) slices.push((await readSlice(server.services.events, site, slice)).columns)
  const of = <T>(column: number) => slices.flatMap((columns) => columns[column] as T[])
  const counted = slices.reduce((sum, [times], i) => sum + times.length * plan.slices[i]!.factor, 0)
  return { plan, counted, times: of<number>(0), paths: of<string>(6) }
}

test('every row is read once, in time order', async () => {
  const { plan, times } = await read(10_000)
  expect([plan.rows, plan.oneIn, times.length]).toEqual([4800, 1, 4800])
  expect(times).toEqual([...times].sort((a, b) => a - b))
})

test('above the row limit a sample is read: consecutive requests of every five minutes, short floods too', async () => {
  const { plan, counted, times, paths } = await read(1_200)
  expect([plan.rows, plan.oneIn]).toEqual([4800, 4])
  expect(Math.round(counted)).toBe(4800)
  const steady = times.filter((_, i) => paths[i] !== '/flood')
  expect(steady.length).toBe(450)
  const gaps = steady.slice(1).map((time, i) => Math.round(time - steady[i]!))
  expect(gaps.filter((gap) => gap === 1).length).toBe(450 - 6)
  expect(paths.filter((path) => path === '/flood').length).toBeGreaterThan(0)
})

test('a span without rows is read as empty columns', async () => {
  const { site } = server.mine
  const empty = { fromMs: span.fromMs - 7_200_000, toMs: span.fromMs }
  expect((await planReading(server.services.events, site, empty)).slices).toEqual([])
  const { columns } = await readSlice(server.services.events, site, empty)
  expect(columns.map((column) => column.length)).toEqual(Array(16).fill(0))
})
