import { expect, test } from 'vitest'
import { newMemory, recalled, remember } from './memory.ts'

test('a value is kept when it occurs for the second time', () => {
  const memory = newMemory<number>()
  remember(memory, '/page', 1)
  expect(recalled(memory, '/page')).toBeUndefined()
  remember(memory, '/page', 1)
  expect(recalled(memory, '/page')).toBe(1)
})

test('most of a thousand values in rotation, the worst order, are kept after a few rounds', () => {
  const memory = newMemory<number>()
  const values = Array.from({ length: 1000 }, (_, n) => `GET /products/${n}.html HTTP/1.1`)
  for (let turn = 0; turn < 5; turn++)
    for (const value of values) if (recalled(memory, value) === undefined) remember(memory, value, 1)
  expect(values.filter((value) => recalled(memory, value) === 1).length).toBeGreaterThan(600)
})

test('values that occur once do not displace those that are kept', () => {
  const memory = newMemory<number>()
  for (const _ of [1, 2]) remember(memory, '/page', 1)
  for (let n = 0; n < 50_000; n++) remember(memory, `/search?q=${n}`, 1)
  expect(recalled(memory, '/page')).toBe(1)
})
