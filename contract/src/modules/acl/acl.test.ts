import { expect, test } from 'vitest'
import type { EdgeAclTest } from '../../edge/acl-part.ts'
import { edgeActionOf, programOf } from '../../edge/acl-program.ts'
import { type AclAction, aclActions, aclSkippable, plainAction } from './actions.ts'
import { completeAcl } from './complete.ts'
import { type AclCondition, AclConditions, type AclTest, measured } from './condition.ts'
import { parseAcl } from './parse.ts'
import { printAcl } from './print.ts'

/** A deterministic pseudo-random generator. */
function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const samples: AclTest[] = [
  { field: 'path', name: '', operator: 'startsWith', values: ['/admin'] },
  { field: 'path', name: '', operator: 'matches', values: ['^/a\\.b\\\\"[\\w]+\\\\$'] },
  { field: 'header', name: 'X-Api', operator: 'exists', values: [] },
  { field: 'arg', name: 'a"b\\', operator: 'eq', values: ['then \\'] },
  { field: 'address', name: '', operator: 'in', values: ['192.0.2.0/24', '::1', '2001:db8::/32'] },
  { field: 'country', name: '', operator: 'ne', values: ['DE'] },
  { field: 'hour', name: '', operator: 'ge', values: ['22'] },
  { field: 'method', name: '', operator: 'in', values: ['GET', 'HEAD'] },
  { field: 'bot', name: '', operator: 'in', values: ['Googlebot', 'bingbot'] },
  { field: 'query', name: '', operator: 'contains', values: ['ü #"'] },
]

function treeOf(random: (below: number) => number, depth: number): AclCondition {
  const kind = depth === 0 ? 0 : random(4)
  if (kind === 0) return samples[random(samples.length)]!
  if (kind === 1) return { not: treeOf(random, depth - 1) }
  const parts = Array.from({ length: 2 + random(2) }, () => treeOf(random, depth - 1))
  return kind === 2 ? { all: parts } : { any: parts }
}

/** The result of a tree, given which of the tests hold. */
function decides(node: AclCondition, isTrue: (test: AclTest) => boolean): boolean {
  if ('all' in node) return node.all.every((part) => decides(part, isTrue))
  if ('any' in node) return node.any.some((part) => decides(part, isTrue))
  return 'not' in node ? !decides(node.not, isTrue) : isTrue(node)
}

function runs(tests: EdgeAclTest[], isTrue: (test: EdgeAclTest) => boolean): boolean {
  let place = tests.length
  while (place > 0) {
    const at = tests[place - 1]!
    const to = isTrue(at) ? at.onTrue : at.onFalse
    if (to >= place) throw new Error(`a jump from ${place} to ${to}`)
    place = to
  }
  return place === -1
}

const actions: AclAction[] = [
  { ...plainAction, action: 'allow' },
  { ...plainAction, action: 'challenge', blockType: 5 },
  { ...plainAction, action: 'limit', limit: { rate: 10, burst: 0 } },
  { ...plainAction, action: 'limit', limit: { rate: 1, burst: 20 } },
  { ...plainAction, action: 'redirect', redirect: { statusCode: 308, target: 'https://a.example/?b="\\' } },
  { ...plainAction, action: 'header', header: { type: 'response', key: 'X-A', value: 'a "b" \\' } },
  { ...plainAction, action: 'header', header: { type: 'request', key: 'X-Bot', value: '' } },
  { ...plainAction, action: 'skip', skip: ['waf', 'bodyRules'] },
]

test('a printed rule is parsed back to the same tree, whatever it consists of', () => {
  const random = chance(7)
  let read = 0
  for (let n = 0; n < 1500; n++) {
    const conditions = treeOf(random, 3)
    const { tests, matches } = measured(conditions)
    if (tests > 64 || matches > 5) continue
    const rule = { conditions, ...actions[random(actions.length)]! }
    const text = printAcl(rule)
    expect(parseAcl(text), text).toEqual({ rule })
    expect(AclConditions.safeParse(conditions).success, text).toBe(true)
    read++
  }
  expect(read).toBeGreaterThan(700)
})

test('a header saved before there was a choice is a response header', () => {
  const { type: _, ...header } = { type: 'response', key: 'X-A', value: 'b' }
  const rule = { ...plainAction, action: 'header', conditions: samples[0]!, header } as Parameters<typeof printAcl>[0]
  expect(printAcl(rule)).toContain('then header response "X-A" "b"')
  expect(edgeActionOf(rule)).toEqual({ action: 'header', blockType: 0, header })
})

test('a program decides as its tree does', () => {
  const random = chance(11)
  for (let n = 0; n < 1500; n++) {
    const tree = treeOf(random, 4)
    const program = programOf(tree)
    const truths = new Map(samples.map((sample) => [sample.values.join() + sample.name.toLowerCase(), random(2) === 1]))
    const keyOf = ({ values, name }: Pick<AclTest, 'values' | 'name'>) => values.join() + name.toLowerCase()
    const turned = (sample: AclTest) => truths.get(keyOf(sample))! !== (sample.operator === 'ne')
    expect(runs(program, (one) => truths.get(keyOf(one))!)).toBe(decides(tree, turned))
  }
})

test('and binds closer than or, and comments are ignored', () => {
  const of = (values: string) => ({ field: 'path', name: '', operator: 'eq', values: [values] })
  expect(parseAcl('when path = "/a" # one\n or path = "/b" and not path = "/c"\nthen block')).toEqual({
    rule: {
      ...plainAction,
      conditions: { any: [of('/a'), { all: [of('/b'), { not: of('/c') }] }] },
    },
  })
})

test.each([
  ['', 1, 1, 'expectedWhen', ''],
  ['when', 1, 5, 'expectedField', ''],
  ['when pth = "/a" then block', 1, 6, 'expectedField', 'pth'],
  ['when path = "/a', 1, 13, 'openString', '"'],
  ['when path = then block', 1, 13, 'expectedValue', 'then'],
  ['when path\n  like "/a" then block', 2, 3, 'expectedOperator', 'like'],
  ['when hour contains "2" then block', 1, 11, 'wrongOperator', 'contains'],
  ['when hour = 24 then block', 1, 13, 'wrongValue', '24'],
  ['when country in {DE, Germany} then block', 1, 22, 'wrongValue', 'Germany'],
  ['when bot > "a" then block', 1, 10, 'wrongOperator', '>'],
  ['when header = "x" then block', 1, 13, 'expectedName', '='],
  ['when header("a b") exists then block', 1, 6, 'wrongName', 'header'],
  ['when (path = "/a" then block', 1, 19, 'expectedClose', 'then'],
  ['when path = "/a" drop', 1, 18, 'expectedThen', 'drop'],
  ['when path = "/a" then drop', 1, 23, 'expectedAction', 'drop'],
  ['when path = "/a" then challenge picture', 1, 33, 'expectedMode', 'picture'],
  ['when path = "/a" then limit 0', 1, 29, 'wrongArgument', '0'],
  ['when path = "/a" then limit 5 burst', 1, 36, 'wrongArgument', ''],
  ['when path = "/a" then redirect "/b"', 1, 32, 'wrongArgument', '/b'],
  ['when path = "/a" then redirect 302 "//b"', 1, 36, 'wrongArgument', '//b'],
  ['when path = "/a" then header origin "A" "b"', 1, 30, 'wrongArgument', 'origin'],
  ['when path = "/a" then header "request" "A" "b"', 1, 30, 'wrongArgument', 'request'],
  ['when path = "/a" then header request "A b" "b"', 1, 38, 'wrongArgument', 'A b'],
  ['when path = "/a" then skip {waf, bans}', 1, 34, 'wrongArgument', 'bans'],
  ['when path = "/a" then skip {waf, waf}', 1, 34, 'wrongArgument', 'waf'],
  ['when path = "/a" then block now', 1, 29, 'expectedEnd', 'now'],
  ['when path matches "(a+)+" then block', 1, 19, 'regexTooComplex', '(a+)+'],
  ['when path = "/a" § then block', 1, 18, 'unknownCharacter', '§'],
  [`when ${'('.repeat(5000)}path exists`, 1, 23, 'tooDeep', '('],
  [`when ${Array(65).fill('path = "/a"').join(' or ')} then block`, 1, 6, 'tooManyTests', 'path'],
])('an invalid text is rejected at the right place: %.40s', (text, line, column, reason, found) => {
  expect(parseAcl(text)).toEqual({ problem: { line, column, reason, found } })
})

test('a tree that is too deep or too large is rejected, however it is nested', () => {
  const leaf = samples[0]!
  const nested = (levels: number): unknown => (levels === 0 ? leaf : { not: nested(levels - 1) })
  expect(AclConditions.safeParse(nested(7)).success).toBe(true)
  expect(AclConditions.safeParse(nested(8)).success).toBe(false)
  let deep: unknown = leaf
  for (let n = 0; n < 100_000; n++) deep = { all: [deep] }
  expect(AclConditions.safeParse(deep).error?.issues).toMatchObject([{ message: 'itemsExceedLimit' }])
  expect(AclConditions.safeParse({ all: Array(65).fill(leaf) }).success).toBe(false)
  expect(AclConditions.safeParse({ any: Array(6).fill(samples[1]) }).success).toBe(false)
  expect(AclConditions.safeParse({ all: [] }).success).toBe(false)
  expect(AclConditions.safeParse({ ...leaf, name: 'x' }).success).toBe(false)
  expect(AclConditions.safeParse({ ...leaf, field: 'hour' }).success).toBe(false)
})

test('the editor is offered what may come next, and nothing that the parser rejects there', () => {
  const offered = (text: string) => completeAcl(text, text.length).offers.map((offer) => offer.text)
  expect(offered('')).toEqual(['when'])
  expect(offered('when pa')).toContain('path')
  expect(completeAcl('when pa', 7).from).toBe(5)
  expect(offered('when hour ')).toEqual(['=', '!=', '<', '<=', '>', '>=', 'in'])
  expect(offered('when header("x-a") ')).toContain('exists')
  expect(offered('when header')).toContain('header')
  expect(offered('when header ')).toEqual(['('])
  expect(offered('when header(')).toEqual(['"'])
  expect(offered('when country = ')).toContain('TW')
  expect(offered('when method in {GET, ')).toContain('POST')
  expect(offered('when method in {GET ')).toEqual([',', '}'])
  expect(offered('when (path = "/a" ')).toEqual(['and', 'or', ')'])
  expect(offered('when path = "/a" ')).toEqual(['and', 'or', 'then'])
  expect(offered('when path = ')).toEqual(['"'])
  expect(offered('when path = "/a" then ')).toEqual([...aclActions])
  expect(offered('when path = "/a" then challenge ')).toContain('slider')
  expect(offered('when path = "/a" then redirect ')).toContain('308')
  expect(offered('when path = "/a" then header ')).toEqual(['response', 'request'])
  expect(offered('when path = "/a" then skip {waf, ')).toEqual([...aclSkippable])
  for (const text of ['when path = "/a', 'when path = "/a" then block ', 'when pth = "/a" ', 'then ', 'when asn = '])
    expect([text, offered(text)]).toEqual([text, []])
  // In the middle of a text, with more after the cursor.
  expect(completeAcl('when path = "/a" then block', 5).offers.map((offer) => offer.text)).toContain('path')
})
