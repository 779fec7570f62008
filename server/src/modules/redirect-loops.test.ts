import { expect, test } from 'vitest'
import { findLoop, type Redirect } from './redirect-loops.ts'

const rules = (...pairs: [urlRegex: string, target: string][]): Redirect[] =>
  pairs.map(([urlRegex, target], at) => ({ id: at + 1, urlRegex, target, enabled: true }))
const loopOf = (all: Redirect[], names: string[] = ['www.example.com'], changed = all.map(({ id }) => id)) =>
  findLoop(all, names, new Set(changed))?.id

test.each<[string, [string, string][]]>([
  ['a path that leads to itself', [['^/a$', '/a']]],
  [
    'two that lead to each other',
    [
      ['^/a$', '/b'],
      ['^/b$', '/a'],
    ],
  ],
  ['a beginning that its own target has', [['^/old', '/old/new']]],
  ['a path that grows with every hop', [['^/a', '/a$path']]],
  ['its own host by name', [['^/a$', 'https://www.example.com/a?x=1']]],
  ['its own host by place', [['^/a$', 'https://$host/a']]],
  ['everything to one page', [['.*', '/home']]],
])('%s is a loop', (_, pairs) => expect(loopOf(rules(...pairs))).toBe(1))

test.each<[string, [string, string][]]>([
  ['another path', [['^/a$', '/b']]],
  [
    'a chain that ends',
    [
      ['^/a$', '/b'],
      ['^/b$', '/c'],
      ['^/c$', '/d'],
    ],
  ],
  ['another host', [['^/a', 'https://other.example.com/a']]],
  ['everything to another host', [['.*', 'https://other.example.com$path']]],
  ['an expression that its target does not match', [['^/item-([0-9]+)$', '/items/$1']]],
])('%s is not a loop', (_, pairs) => expect(loopOf(rules(...pairs))).toBeUndefined())

test('only changed rules are followed, and disabled ones lead nowhere', () => {
  const all = rules(['^/a$', '/b'], ['^/b$', '/a'], ['^/c$', '/d'])
  expect(loopOf(all, [], [3])).toBeUndefined()
  expect(loopOf(all, [], [2])).toBe(2)
  expect(
    loopOf(
      all.map((rule) => ({ ...rule, enabled: rule.id !== 2 })),
      [],
    ),
  ).toBeUndefined()
})
