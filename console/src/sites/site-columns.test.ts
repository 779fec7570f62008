import { expect, test } from 'vitest'
import { siteColumns } from './site-columns.tsx'

test('the lists of sites have no duplicate columns', () => {
  const keys = siteColumns(((key: string) => key) as never, {} as never, {} as never).map(({ key }) => key)
  expect(keys).toEqual([...new Set(keys)])
})
