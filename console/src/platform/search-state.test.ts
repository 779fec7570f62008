import { expect, test } from 'vitest'
import { defaultPageSize, ListSearch, pageSizes, widePageSizes } from './search-state.ts'

test('lists have pages of 10 to 100 rows, long ones up to 500; other numbers in a URL become the default', () => {
  expect(pageSizes).toEqual([10, 25, 50, 75, 100])
  expect(widePageSizes.slice(-2)).toEqual([200, 500])
  const sizeOf = (pageSize: unknown) => ListSearch.parse({ pageSize }).pageSize
  expect([sizeOf(500), sizeOf(10), sizeOf(501), sizeOf(undefined)]).toEqual([500, 10, defaultPageSize, defaultPageSize])
})
