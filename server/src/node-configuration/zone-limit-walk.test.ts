import { expect, test } from 'vitest'
import { type Walked, type WalkedRow, walkLimit } from './zone-limit-walk.ts'

const row = (came: number, over: Partial<WalkedRow> = {}): WalkedRow => ({
  ...{ client: '192.0.2.1', came, weight: 1, agent: 7, isBot: false, isPass: false },
  ...over,
})
const walked = (rows: WalkedRow[], limit = { seconds: 10, times: 2 }): Walked[] => rows.map(walkLimit(limit))
const many = (count: number, make: (n: number) => WalkedRow) => Array.from({ length: count }, (_, n) => make(n))

test('a window begins with its first request, and the first one after its end begins another', () => {
  expect(walked([row(5), row(6), row(14), row(15), row(16), row(17)])).toEqual([
    ...['pass', 'pass', 'challenge', 'pass', 'pass', 'challenge'],
  ])
})

test('each client is counted separately', () => {
  const rows = [row(0), row(1), row(0, { client: 'b' }), row(1, { client: 'b' }), row(2, { client: 'b' })]
  expect(walked(rows)).toEqual(['pass', 'pass', 'pass', 'pass', 'challenge'])
})

test('a browser that passed the challenge goes on, but no other of the same client; so does a verified bot', () => {
  const rows = [
    row(0),
    row(1),
    row(2, { isPass: true }),
    row(3),
    row(4, { agent: 8 }),
    row(5, { agent: 8, isBot: true }),
  ]
  expect(walked(rows)).toEqual(['pass', 'pass', 'pass', 'pass', 'challenge', 'pass'])
})

test('above ten times the limit the client is banned for ten minutes', () => {
  const flood = many(21, (n) => row(n / 100, { isBot: true }))
  const after = [row(1), row(599), row(601)]
  expect(walked([...flood, ...after]).slice(19)).toEqual(['pass', 'block', 'block', 'block', 'pass'])
})

test('a row that stands for several requests counts as that many', () => {
  expect(walked([row(0, { weight: 3 }), row(1, { weight: 18 })])).toEqual(['challenge', 'block'])
})
