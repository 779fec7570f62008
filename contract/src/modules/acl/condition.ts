/** Conditions of the Lua ACL: a typed tree. It is data; no part of it is ever run as code. */
import { z } from 'zod'
import { parseRange } from '../../addresses.ts'
import { wordOf } from '../../enumeration.ts'
import { HeaderName, urlCharsMax } from '../../fields.ts'
import { checkUrlRegex } from '../../url-regex.ts'
import { aclField, aclFieldNames, aclOperators, takesOperator } from './fields.ts'

/** Limits of one tree. */
export const aclTestsMax = 64
export const aclDepthMax = 8
export const aclMatchesMax = 5
/** The most values of one `in`. */
export const aclValuesMax = 256

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const printable = /^[^\u0000-\u001f\u007f]*$/
const argumentName = /^[\x21-\x7e]{1,128}$/

const valueProblems = {
  text: (value: string) => (printable.test(value) ? undefined : 'wrongFormat'),
  number: (value: string, max: number) => (/^\d{1,10}$/.test(value) && Number(value) <= max ? undefined : 'number'),
  address: (value: string) => (parseRange(value) ? undefined : 'wrongFormat'),
  country: (value: string) => (/^[A-Z]{2}$/.test(value) ? undefined : 'wrongFormat'),
}

/** What is wrong with a test, and where; undefined if it is valid. */
export function testProblem(test: AclTest): { at: 'name' | 'operator' | 'values'; reason: string } | undefined {
  const { kind, isNamed, max = 0 } = aclField(test.field)
  const { field, name, operator, values } = test
  const isName = field === 'header' ? HeaderName.safeParse(name).success : argumentName.test(name)
  if (isNamed ? !isName : name !== '') return { at: 'name', reason: name === '' ? 'required' : 'wrongFormat' }
  if (!takesOperator(field, operator)) return { at: 'operator', reason: 'wrongFormat' }
  const isCounted = operator === 'in' ? values.length > 0 : values.length === (operator === 'exists' ? 0 : 1)
  if (!isCounted) return { at: 'values', reason: values.length === 0 ? 'required' : 'itemsExceedLimit' }
  for (const value of values) {
    const reason = operator === 'matches' ? checkUrlRegex(value) : valueProblems[kind](value, max)
    if (reason) return { at: 'values', reason }
  }
  return undefined
}

export const AclTest = z
  .strictObject({
    field: wordOf('AclField', 'What is asked about.', aclFieldNames),
    name: z.string().max(128, 'charactersExceedLimit').default('').describe('Of an argument, a header or a cookie.'),
    operator: wordOf('AclOperator', 'How it is asked.', aclOperators),
    values: z
      .array(z.string().max(urlCharsMax, 'charactersExceedLimit'))
      .max(aclValuesMax, 'itemsExceedLimit')
      .default([])
      .describe('One; none of `exists`; several of `in`. Numbers are texts too.'),
  })
  .superRefine((test, context) => {
    const problem = testProblem(test)
    if (problem) context.addIssue({ code: 'custom', message: problem.reason, path: [problem.at] })
  })
export type AclTest = z.output<typeof AclTest>

export type AclCondition = { all: AclCondition[] } | { any: AclCondition[] } | { not: AclCondition } | AclTest

function nodeOf(id: string, test: z.ZodType<AclTest>): z.ZodType<AclCondition> {
  const some = () => z.array(node).min(1, 'required').max(aclTestsMax, 'itemsExceedLimit')
  const node: z.ZodType<AclCondition> = z
    .lazy(() =>
      z.union([test, z.strictObject({ all: some() }), z.strictObject({ any: some() }), z.strictObject({ not: node })]),
    )
    .meta({ id, description: 'A test, or several of which all or any must hold, or one that must not.' })
  return node
}

const Node = nodeOf('AclCondition', AclTest)

/** A tree as it is returned: including everything that may be left out when it is sent. */
export const AclConditionsShown = nodeOf(
  'AclConditionShown',
  z.strictObject({
    ...AclTest.shape,
    name: z.string().describe('Of an argument, a header or a cookie; else empty.'),
    values: z.array(z.string()),
  }),
)

/** How deep a value from a request is nested, counted up to `left` levels. */
function depthOf(value: unknown, left: number): number {
  if (left === 0 || value === null || typeof value !== 'object') return 0
  let deepest = 0
  for (const part of Object.values(value)) deepest = Math.max(deepest, depthOf(part, left - 1))
  return deepest + 1
}

/** An object and its list count as two levels. */
const nestingMax = aclDepthMax * 2 + 2

/** A whole tree. One that is nested too deep is rejected before anything recurses into it. */
export const AclConditions = z
  .preprocess((value, context) => {
    if (depthOf(value, nestingMax + 1) <= nestingMax) return value
    context.addIssue({ code: 'custom', message: 'itemsExceedLimit' })
    return z.NEVER
  }, Node)
  .superRefine((tree, context) => {
    const { tests, matches, depth } = measured(tree)
    if (tests > aclTestsMax || matches > aclMatchesMax || depth > aclDepthMax)
      context.addIssue({ code: 'custom', message: 'itemsExceedLimit' })
  })

/**
 * The size of a tree and its cost: a test costs 1, a regular expression 5, plus 1 each if a list is searched (headers,
 * arguments).
 */
export type AclMeasure = { tests: number; matches: number; depth: number; cost: number }

const none: AclMeasure = { tests: 0, matches: 0, depth: 0, cost: 0 }

export function measured(tree: AclCondition): AclMeasure {
  if ('field' in tree) {
    const isMatch = tree.operator === 'matches'
    const isSearched = aclField(tree.field).isNamed === true
    return { tests: 1, matches: isMatch ? 1 : 0, depth: 1, cost: (isMatch ? 5 : 1) + (isSearched ? 1 : 0) }
  }
  const parts = partsOf(tree).map(measured)
  return parts.reduce(
    (sum, part) => ({
      tests: sum.tests + part.tests,
      matches: sum.matches + part.matches,
      depth: Math.max(sum.depth, part.depth + 1),
      cost: sum.cost + part.cost,
    }),
    none,
  )
}

/** The conditions that a condition consists of. */
export function partsOf(tree: Exclude<AclCondition, AclTest>): AclCondition[] {
  if ('all' in tree) return tree.all
  return 'any' in tree ? tree.any : [tree.not]
}

/** Whether every test of a tree satisfies `isOne`. */
export const asksOnly = (tree: AclCondition, isOne: (test: AclTest) => boolean): boolean =>
  'field' in tree ? isOne(tree) : partsOf(tree).every((part) => asksOnly(part, isOne))
