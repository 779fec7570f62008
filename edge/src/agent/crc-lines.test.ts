import { expect, test } from 'vitest'
import { decodeLines, encodeLine } from './crc-lines.ts'

test('encoded lines are decoded to the same values', () => {
  const values = [{ site: 1, hosts: ['例.test'] }, { site: 2 }]
  expect(decodeLines(values.map(encodeLine).join(''))).toEqual({ values, torn: 0 })
})

test('torn and modified lines are skipped, the others are read', () => {
  const line = encodeLine({ site: 1 })
  const text = `${line.slice(0, 12)}\n${line}${line.replace('1', '2')}00000000 \n\n`
  expect(decodeLines(text)).toEqual({ values: [{ site: 1 }], torn: 3 })
})

test('the checksum is the one that nginx computes', () => {
  expect(encodeLine(123456789)).toBe('cbf43926 123456789\n')
})
