import { expect, test } from 'vitest'
import { readFilters } from '../../kit/filter-address.ts'
import { statisticsFilter, viewSearch } from './view.ts'

test('a page starts with its own range, and keeps one given in the URL', () => {
  expect(viewSearch('1h').parse({}).range).toBe('1h')
  expect(viewSearch('3h').parse({ range: 'nonsense' }).range).toBe('3h')
  expect(viewSearch('1h').parse({ range: '45m' }).range).toBe('45m')
})

test('the filters in the URL are sent to the server', () => {
  const filter = statisticsFilter(readFilters(['status:403', '-country:US', 'hostPath:a.example/b', 'url:x']))
  expect(filter).toMatchObject({ status: [403], hostPath: ['a.example/b'], url: 'x', not: { country: ['US'] } })
})

test('with an unknown field, nothing is filtered', () => {
  expect(statisticsFilter(readFilters(['nonsense:1', 'country:TW']))).toMatchObject({ country: [] })
})
