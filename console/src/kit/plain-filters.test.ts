import { expect, test } from 'vitest'
import { chipsOf, patchOf } from './plain-filters.ts'

test('what is set becomes chips, and what is empty does not', () => {
  expect(chipsOf({ name: 'shop', action: '', tags: ['eu', 'test'], status: undefined, page: 3 }, ['name', 'action', 'tags', 'status'])).toEqual([
    { field: 'name', not: false, values: ['shop'] },
    { field: 'tags', not: false, values: ['eu', 'test'] },
  ])
})

test('chips become the address: the last of one value, all of many, the first page, and nothing of what was taken away', () => {
  const filters = [
    { field: 'name', not: false, values: ['shop', 'harbour'] },
    { field: 'tags', not: false, values: ['eu', 'test'] },
  ]
  expect(patchOf(filters, ['name', 'action', 'tags'], ['tags'])).toEqual({
    page: 1,
    name: 'harbour',
    action: '',
    tags: ['eu', 'test'],
  })
})
