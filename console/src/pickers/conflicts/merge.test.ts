import { expect, test } from 'vitest'
import { mergeFields } from './merge.ts'

const base = { rate: 10, memo: '', enabled: true }

test('changes of different fields are both kept', () => {
  expect(mergeFields(base, { ...base, rate: 20 }, { ...base, memo: 'theirs' })).toEqual({
    merged: { rate: 20, memo: 'theirs', enabled: true },
    clashes: [],
  })
})

test('a field changed to different values by both is a clash', () => {
  expect(mergeFields(base, { ...base, memo: 'mine' }, { ...base, memo: 'theirs', rate: 5 })).toEqual({
    merged: { rate: 5, memo: 'mine', enabled: true },
    clashes: ['memo'],
  })
  expect(mergeFields(base, { ...base, memo: 'same' }, { ...base, memo: 'same' }).clashes).toEqual([])
})
