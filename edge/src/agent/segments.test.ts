import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type SegmentedLog, segmentedLog } from './segments.ts'

let folder: string
let live: string
let log: SegmentedLog
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'breakwater-segments-'))
  live = join(folder, 'requests.log')
  log = segmentedLog(folder, 'requests')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Reads what is new; returns it with the place after it. */
async function read(place?: { ino: number; offset: number }) {
  const { lines, place: next } = await log.next(place, 1000, 1000)
  const after = lines ? { ino: lines.place.ino, offset: lines.end } : next
  return { text: lines?.bytes.toString(), waiting: await log.waiting(after), after }
}

test('lines are found in a file that appears later, and once each', async () => {
  expect(await read()).toEqual({ text: undefined, waiting: 0, after: undefined })
  expect(await log.list()).toEqual([])
  writeFileSync(live, 'a\nb\nhalf')
  const first = await read()
  expect(first).toMatchObject({ text: 'a\nb\n', waiting: 4 })
  expect(await read(first.after)).toMatchObject({ text: undefined, waiting: 4 })
  appendFileSync(live, ' a line\n')
  const second = await read(first.after)
  expect(second).toMatchObject({ text: 'half a line\n', waiting: 0 })
  expect(await read(second.after)).toEqual({ ...second, text: undefined })
})

test('a file that was truncated is read from its start', async () => {
  writeFileSync(live, 'a long line\n')
  const { after } = await read()
  truncateSync(live)
  appendFileSync(live, 'b\n')
  expect(await log.waiting(after)).toBe(2)
  expect(await read(after)).toMatchObject({ text: 'b\n', waiting: 0 })
})

test('what was written before a rotation is read before the new file, and both count as waiting', async () => {
  writeFileSync(live, 'a\nb\n')
  const place = (await read()).after
  appendFileSync(live, 'c\n')
  expect([await log.rotate(100), await log.rotate(3), await log.rotate(3)]).toEqual([false, true, false])
  writeFileSync(live, 'd\n')
  expect(await log.waiting(place)).toBe(4)
  expect(await read(place)).toMatchObject({ text: 'c\n', waiting: 2 })
  expect((await log.list()).map(({ live }) => live)).toEqual([false, true])
})
