import { expect, test } from 'vitest'
import { readFilters } from '../../kit/filter-address.ts'
import { statisticsFilter, viewSearch } from './view.ts'

test('a page begins with its own range, and keeps one that the address names', () => {
  expect(viewSearch('1h').parse({}).range).toBe('1h')
  expect(viewSearch('3h').parse({ range: 'nonsense' }).range).toBe('3h')
  expect(viewSearch('1h').parse({ range: '45m' }).range).toBe('45m')
})

test('what the address filters by is what the server is asked', () => {
  const filter = statisticsFilter(readFilters(['status:403', '-country:US', 'hostPath:a.example/b', 'url:x']))
  expect(filter).toMatchObject({ status: [403], hostPath: ['a.example/b'], url: 'x', not: { country: ['US'] } })
})

test('a field that nobody knows filters nothing', () => {
  expect(statisticsFilter(readFilters(['nonsense:1', 'country:TW']))).toMatchObject({ country: [] })
})
