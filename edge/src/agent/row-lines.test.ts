import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import { lineOfRow, rowMarksBefore, rowOfLine } from '@breakwater/contract/edge/row-lines.ts'
import { expect, test } from 'vitest'
import { lastTime, moveLines, ownLines } from './row-lines.ts'

const given = { time: 1000.25, node: 7, zone: 2, site: 1, path: '/é "\\\t\n', query: '\tv1\t5\t8\t9' }
const row = (site: number, over: Partial<RequestRow> = {}) => lineOfRow({ ...given, site, ...over })
const linesOf = (...lines: string[]) => Buffer.from(lines.join(''), 'latin1')

test('a line holds the values of its row, whatever a visitor sent', () => {
  const line = row(1)
  expect(line).toMatch(/^v3\t1000\.25\t7\t2\t1\t0\t[ -~\t]*\n$/)
  expect(rowOfLine(line.slice(0, -1))).toMatchObject({ ...given, site: 1 })
  expect(rowOfLine(line.slice(0, -3))).toBeUndefined()
  expect(rowOfLine(`v2${line.slice(0, -1)}`)).toBeUndefined()
})

test('a batch with nothing to remove is not copied', () => {
  const log = linesOf(row(1), row(2))
  const own = ownLines(log, 7)
  expect(own).toEqual({ bytes: log, rows: 2, torn: 0, without: 0, sites: new Set([1, 2]), from: 1000, to: 1000 })
  expect(own.bytes).toBe(log)
})

test('torn rows, rows without a site and rows of another node are removed', () => {
  const torn = ['v', 'v2', 'v2\t10', 'v1\t10', row(4).slice(0, 20), row(4).slice(0, -1)].map((half) => half + row(5))
  const log = linesOf(row(1), row(0), row(3, { node: 8 }), ...torn, 'v2\tx\n', row(2))
  const own = ownLines(log, 7)
  expect(own).toMatchObject({ rows: 2, torn: 7, without: 0, sites: new Set([1, 2]) })
  expect(own.bytes).toEqual(linesOf(row(1), row(2)))
})

test('rows of an nginx that did not know its node number yet count as this node’s', () => {
  const own = ownLines(linesOf(row(1), row(3, { node: 0, time: 900 }), row(0, { node: 0 }), row(2)), 7)
  expect(own).toMatchObject({ rows: 3, torn: 0, sites: new Set([1, 2, 3]), from: 900 })
  expect(own.bytes).toEqual(linesOf(row(1), row(3, { time: 900 }), row(2)))
})

test('rows of sites that left the node are removed and counted', () => {
  const own = ownLines(linesOf(row(1), row(2), row(1), row(3)), 7, new Set([1, 9]))
  expect(own).toMatchObject({ rows: 2, without: 2, sites: new Set([2, 3]) })
  expect(own.bytes).toEqual(linesOf(row(2), row(3)))
})

test('the times of the oldest and newest uploaded row are returned', () => {
  const times = [1500.999, 1200, 1900.001].map((time) => row(1, { time }))
  const log = linesOf(row(0, { time: 3 }), ...times, row(2, { time: 9999.5 }), row(1, { node: 8, time: 7 }))
  expect(ownLines(log, 7, new Set([2]))).toMatchObject({ from: 1200, to: 1900 })
})

test('rows of a worker of the previous release are converted to the current format; half of one is torn', () => {
  const before =
    '{"time":5.125,"node":7,"zone":2,"site":4,"status":000,"requestTime":0.012e3,"path":"/caf\\u0007\\"x"}\n'
  const own = ownLines(linesOf(row(1), before, before.slice(0, 30), before, row(2)), 7)
  expect(own).toMatchObject({ rows: 3, torn: 1, sites: new Set([1, 4, 2]) })
  const [, line] = own.bytes.toString('latin1').split('\n')
  expect(rowOfLine(line!)).toMatchObject({ time: 5.125, site: 4, status: 0, requestTime: 12, path: '/caf\u0007"x' })
})

test.each(['v1', 'v2'] as const)(
  'lines of an earlier release (%s) with fewer values are converted to the current format; half of one is torn',
  (mark) => {
    const old = (site: number) =>
      `${[
        mark,
        ...row(site)
          .slice(0, -1)
          .split('\t')
          .slice(1, rowMarksBefore[mark] + 1),
      ].join('\t')}\n`
    const own = ownLines(linesOf(row(1), old(4), old(5).slice(0, 30), old(2), row(3)), 7)
    expect(own).toMatchObject({ rows: 3, torn: 1, sites: new Set([1, 4, 3]) })
    expect(own.bytes).toEqual(linesOf(row(1), row(4), row(3)))
  },
)

test('the times of rows are shifted by whole seconds, and no other value that looks like a time', () => {
  const log = linesOf(row(1), row(2, { time: 5 }))
  expect(moveLines(log, 60)).toEqual(linesOf(row(1, { time: 1060.25 }), row(2, { time: 65 })))
  expect(moveLines(log, 0)).toBe(log)
  expect([lastTime(log), lastTime(Buffer.alloc(0))]).toEqual([5, undefined])
})
