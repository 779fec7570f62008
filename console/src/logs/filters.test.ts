import { expect, test } from 'vitest'
import { readFilters, writeFilters } from '../kit/filter-address.ts'
import { logFilter } from './filters.ts'

test('filters survive the URL', () => {
  const texts = ['status:403', 'status:429', '-country:US', 'url:/login?a:b']
  expect(writeFilters(readFilters(texts))).toEqual(texts)
})

test('excluded values go to `not`, and a status that is not a number is ignored', () => {
  const filter = logFilter(readFilters(['-ip:203.0.113.7', 'status:x', 'status:403']), 7)
  expect(filter).toMatchObject({ siteIDs: [7], status: [403], ip: [], not: { ip: ['203.0.113.7'] } })
})

test('unreadable filters are skipped', () => {
  expect(readFilters(['nonsense', ''])).toEqual([])
})
