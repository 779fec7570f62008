import { expect, test } from 'vitest'
import { diffLines, folded } from './Diff.tsx'

test('common lines are kept, the others are removed or added', () => {
  expect(diffLines({ rate: 1, burst: 2 }, { rate: 5, burst: 2 }).map(({ sign, text }) => `${sign}${text}`)).toEqual([
    ' {',
    '-  "rate": 1,',
    '+  "rate": 5,',
    '   "burst": 2',
    ' }',
  ])
})

test('if there was nothing before, every line is added', () => {
  expect(diffLines(null, 'a\nb').every(({ sign }) => sign === '+')).toBe(true)
})

test('long unchanged runs are folded, a few lines around a change are not', () => {
  const text = (changed: string) => [...Array.from({ length: 20 }, (_, i) => `line ${i}`), changed].join('\n')
  const shown = folded(diffLines(text('a'), text('b')))
  expect(shown[0]).toEqual({ same: 17 })
  expect(shown.slice(1).map((line) => ('same' in line ? line : line.sign))).toEqual([' ', ' ', ' ', '-', '+'])
  expect(folded(diffLines(text('a'), text('a')))).toHaveLength(21)
})
