import { expect, test } from 'vitest'
import { diffLines } from './Diff.tsx'

test('lines that both have stay, the others go and come', () => {
  expect(diffLines({ rate: 1, burst: 2 }, { rate: 5, burst: 2 }).map(({ sign, text }) => `${sign}${text}`)).toEqual([
    ' {',
    '-  "rate": 1,',
    '+  "rate": 5,',
    '   "burst": 2',
    ' }',
  ])
})

test('what was not there before is all new', () => {
  expect(diffLines(null, 'a\nb').every(({ sign }) => sign === '+')).toBe(true)
})
