import { expect, test } from 'vitest'
import { together } from './batches.ts'

test('refusals with the same reason become one line with all their targets', () => {
  expect(
    together([
      { code: 401001, message: 'Taken', targets: ['a.example'] },
      { code: 401008, message: 'No origin', targets: ['b.example'] },
      { code: 401001, message: 'Taken', targets: ['c.example'] },
    ]),
  ).toEqual([
    { code: 401001, message: 'Taken', targets: ['a.example', 'c.example'] },
    { code: 401008, message: 'No origin', targets: ['b.example'] },
  ])
})
