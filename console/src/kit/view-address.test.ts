import { expect, test } from 'vitest'
import { inView, placeOf } from './view-address.ts'

const search = { tab: 'domains', page: 3, edit: 7, sortBy: 'name', keywords: 'shop', orderBy: undefined }

test('a view keeps the query, whatever the order of its parameters', () => {
  expect(Object.entries(inView(search))).toEqual([
    ['keywords', 'shop'],
    ['sortBy', 'name'],
  ])
})

test('showing a view stays at the object and goes to the first page with no drawer open', () => {
  expect(placeOf(search)).toEqual({ tab: 'domains' })
})
