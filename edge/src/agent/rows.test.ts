import { expect, test } from 'vitest'
import { ownRows, sitesIn, split } from './rows.ts'

const row = (site: number, over = {}) =>
  `${JSON.stringify({ time: 1.5, node: 7, zone: 2, site, path: '/é', ...over })}\n`

test('a batch with nothing to remove is not copied', () => {
  const bytes = Buffer.from(row(1) + row(2))
  expect(ownRows(bytes, 7)).toEqual({ bytes, rows: 2, torn: 0 })
})

test('torn rows, rows without a site, of another node and from before the enrolment are removed', () => {
  const text = [
    row(1),
    row(0),
    row(3, { node: 8 }),
    row(3, { node: 0 }),
    row(4).slice(0, 20),
    row(5),
    '"site":6}\n',
    row(2),
  ].join('')
  const own = ownRows(Buffer.from(text), 7)
  expect(own).toMatchObject({ rows: 2, torn: 2 })
  expect(own.bytes.toString()).toBe(row(1) + row(2))
})

test('visitor input cannot forge a site or node', () => {
  const bytes = Buffer.from(row(1, { path: '/"site":9,"node":8', query: '}{"site":9' }))
  expect(ownRows(bytes, 7)).toMatchObject({ rows: 1, torn: 0 })
  expect([...sitesIn(bytes)]).toEqual([1])
})

test('a batch is split by site without changing any byte', () => {
  const { of, others, ofRows } = split(Buffer.from(row(1) + row(2) + row(1)), new Set([1]))
  expect([of.toString(), others.toString(), ofRows]).toEqual([row(1) + row(1), row(2), 2])
})
