import { expect, test } from 'vitest'
import { bitsToBytes, splitBytes, toBytes } from './units.ts'

test.each([
  [999, 999, 'Byte'],
  [1000, 1, 'KB'],
  [1_500_000, 1.5, 'MB'],
  [1_234_567, 1.23, 'MB'],
  [1e27, 1000, 'YB'],
])('%d bytes are %d %s', (bytes, value, unit) => expect(splitBytes(bytes)).toEqual({ value, unit }))

test('8,000 bits are 1 KB', () => expect(splitBytes(bitsToBytes(8000))).toEqual({ value: 1, unit: 'KB' }))
test('an unknown unit throws the specified error', () =>
  expect(() => toBytes(1, 'KiB')).toThrow('Invalid units provided.'))
