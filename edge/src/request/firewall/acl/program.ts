/**
 * A tree of conditions as arrays: tests in sequence, each with the next test for either result. Running it allocates
 * nothing, and every jump leads to an earlier test, so there are at most as many steps as tests.
 */
import type { EdgeAclTest } from '@breakwater/contract/edge/acl-part.ts'
import { inRangeSet, type RangeSet, rangeSet } from '../../lib/address.ts'
import type { CompileTools, EdgeRequest, Regex, Tools } from '../../lib/guard.ts'
import { type Run, runOf } from './steps.ts'
import { nextArgument, nextCookie, numberOf, textOf } from './values.ts'

/** Operators as numbers: LuaJIT compares these faster than strings. */
const equal = 1
const oneOf = 2
const begins = 3
const ends = 4
const contains = 5
const matches = 6
const exists = 7

type Operand = { text: string; set: Record<string, true>; regex: Regex | undefined }

/** `least` and `most` are the bounds for numbers; sets of numbers are sets of texts. */
export type Program = {
  /** What is tested: 1 a text, 2 an argument, 3 a cookie, 4 an address, 5 a number. */
  kinds: number[]
  operators: number[]
  fields: string[]
  names: string[]
  operands: Operand[]
  ranges: (RangeSet | undefined)[]
  least: number[]
  most: number[]
  onTrue: number[]
  onFalse: number[]
  run: Run<Program>
}

const aText = 1
const anArgument = 2
const aCookie = 3
const anAddress = 4
const aNumber = 5

const kindOf: Record<string, number> = {
  arg: anArgument,
  cookie: aCookie,
  address: anAddress,
  hour: aNumber,
  asn: aNumber,
  weekday: aNumber,
  bodyBytes: aNumber,
}

const operatorOf: Record<string, number> = {
  eq: equal,
  in: oneOf,
  startsWith: begins,
  endsWith: ends,
  contains,
  matches,
  exists,
}

function operandOf({ operator, values }: EdgeAclTest, tools: CompileTools): Operand {
  const set: Record<string, true> = {}
  for (const value of values) set[value] = true
  const text = values.length === 0 ? '' : values[0]!
  return { text, set, regex: operator === 'matches' ? tools.regex(text) : undefined }
}

/** The bounds for all number operators except `in`. */
function boundsOf({ operator, values }: EdgeAclTest): [number, number] {
  const value = values.length === 0 ? 0 : Number(values[0])
  const endless = Number.POSITIVE_INFINITY
  if (operator === 'lt') return [-endless, value - 1]
  if (operator === 'le') return [-endless, value]
  if (operator === 'gt') return [value + 1, endless]
  if (operator === 'ge') return [value, endless]
  return [value, value]
}

/** Throws if a jump does not lead to an earlier test or to an end. */
export function compileProgram(tests: readonly EdgeAclTest[], tools: CompileTools): Program {
  const program: Program = {
    ...{ kinds: [], operators: [], fields: [], names: [], operands: [], ranges: [] },
    ...{ least: [], most: [], onTrue: [], onFalse: [] },
    run: runOf(tests.length, step),
  }
  let at = 0
  for (const test of tests) {
    for (const to of [test.onTrue, test.onFalse]) if (to < -1 || to > at) throw new Error('a jump that leads nowhere')
    const kind = kindOf[test.field] ?? aText
    const [least, most] = boundsOf(test)
    program.kinds[at] = kind
    program.operators[at] = operatorOf[test.operator] ?? 0
    program.fields[at] = test.field
    program.names[at] = test.name
    program.operands[at] = operandOf(test, tools)
    program.ranges[at] = kind === anAddress ? rangeSet(test.values) : undefined
    program.least[at] = least
    program.most[at] = most
    program.onTrue[at] = test.onTrue
    program.onFalse[at] = test.onFalse
    at++
  }
  return program
}

function fits(operator: number, operand: Operand, value: string, tools: Tools): boolean {
  if (operator === equal) return value === operand.text
  if (operator === begins) return value.startsWith(operand.text)
  if (operator === oneOf) return operand.set[value] === true
  if (operator === contains) return value.indexOf(operand.text) >= 0
  if (operator === exists) return true
  if (operator === ends) return value.endsWith(operand.text)
  return tools.matches(operand.regex!, value)
}

/** Whether any argument or cookie of a name fits, from an offset on. Most requests have just one: no loop is needed. */
function anyFits(program: Program, at: number, text: string, from: number, tools: Tools): boolean {
  const name = program.names[at]!
  const found = program.kinds[at] === aCookie ? nextCookie(text, name, from) : nextArgument(text, name, from)
  if (found === undefined) return false
  if (fits(program.operators[at]!, program.operands[at]!, found.value, tools)) return true
  return anyFits(program, at, text, found.at, tools)
}

function holds(program: Program, at: number, path: string, request: EdgeRequest, tools: Tools): boolean {
  const kind = program.kinds[at]!
  if (kind === aText) {
    const value = textOf(program.fields[at]!, program.names[at]!, path, request, tools)
    return value !== undefined && fits(program.operators[at]!, program.operands[at]!, value, tools)
  }
  if (kind === aNumber) {
    const value = numberOf(program.fields[at]!, request, tools)
    if (program.operators[at] === oneOf) return program.operands[at]!.set[`${value}`] === true
    return value >= program.least[at]! && value <= program.most[at]!
  }
  if (kind === anAddress) return inRangeSet(program.ranges[at]!, request.addressBytes)
  const text = kind === aCookie ? (tools.header('cookie') ?? '') : request.query
  return anyFits(program, at, text, 0, tools)
}

/** Runs the test at a position, counted from 1, and returns the next position. */
function step(this: void, program: Program, place: number, path: string, request: EdgeRequest, tools: Tools): number {
  // Not a tail call: that would count as an iteration of a loop.
  const isTrue = holds(program, place - 1, path, request, tools)
  const next = isTrue ? program.onTrue[place - 1]! : program.onFalse[place - 1]!
  return next
}

/** Whether the condition holds for a request under one reading of its path. */
export function runProgram(program: Program, path: string, request: EdgeRequest, tools: Tools): boolean {
  const place = program.run(program, path, request, tools)
  return place < 0
}
