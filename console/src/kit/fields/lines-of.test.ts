/** Tests for reading one item per line. */
import { expect, test } from 'vitest'
import { linesOf } from './lines-of.ts'

test('an item keeps its commas and semicolons, and a pasted list of addresses is split', () => {
  const origins = ['https://203.0.113.7:8443;weight=2;backup', '^/a{1,3}$', '192.0.2.0/24, 80']
  expect(linesOf(origins.join('\n'), false)).toEqual(origins)
  expect(linesOf('192.0.2.1, 192.0.2.2;192.0.2.3\t192.0.2.4\r\n192.0.2.5', true)).toEqual(
    [1, 2, 3, 4, 5].map((n) => `192.0.2.${n}`),
  )
  expect([linesOf('', true), linesOf('', false), linesOf('a\n', false)]).toEqual([[], [], ['a', '']])
})
