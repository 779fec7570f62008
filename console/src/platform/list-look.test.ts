import { expect, test } from 'vitest'
import { arranged, visible } from './list-look.ts'

const columns = ['name', 'state', 'tags', 'changed'].map((key) => ({ key }))
const keys = (list: { key: string }[]) => list.map(({ key }) => key)

test('columns follow the chosen order, and the one that names the row stays first', () => {
  expect(keys(arranged(columns, { order: ['changed', 'name', 'state'] }))).toEqual(['name', 'changed', 'state', 'tags'])
})

test('a column added by an upgrade follows its neighbour, and a removed one is ignored', () => {
  const more = [...columns.slice(0, 2), { key: 'new' }, ...columns.slice(2)]
  expect(keys(arranged(more, { order: ['tags', 'gone', 'state', 'changed'] }))).toEqual([
    'name',
    'tags',
    'state',
    'new',
    'changed',
  ])
})

test('hidden columns are not shown, but the one that names the row cannot be hidden', () => {
  expect(keys(visible(columns, { order: [], hidden: ['name', 'tags'] }))).toEqual(['name', 'state', 'changed'])
})
