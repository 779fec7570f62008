/**
 * Checks values against schemas. Every check costs a step, so that a document cannot block a worker: once the steps are
 * used up, the rest is not checked.
 */
import type { Tools } from '../../lib/guard.ts'
import type { ShieldSchema } from './tables.ts'

export type Run = {
  schemas: readonly ShieldSchema[]
  tools: Tools
  /** How many checks are left. */
  steps: number
  /** The path to the part of the value that is wrong: `/items/0/price`. */
  where: string
  /** Whether there was more than the limits allow to check. */
  isCut: boolean
}

/** How many checks of values one request may cost. */
export const stepsMax = 20_000
const depthMax = 64
/** The matcher truncates its subject at this length. */
const subjectMax = 8192

export const runOf = (schemas: readonly ShieldSchema[], tools: Tools): Run => ({
  ...{ schemas, tools, steps: stepsMax, where: '', isCut: false },
})

type Members = Record<string, unknown>

function isEmpty(value: Members): boolean {
  for (const _name in value) return false
  return true
}

/** Empty lists and empty objects cannot be told apart here. */
function hasType(types: Record<string, true>, value: unknown): boolean {
  if (typeof value === 'string') return types.string === true
  if (typeof value === 'number') return types.number === true || (types.integer === true && Math.floor(value) === value)
  if (typeof value === 'boolean') return types.boolean === true
  if (typeof value !== 'object' || value === null) return types.null === true
  if (isEmpty(value as Members)) return types.array === true || types.object === true
  return Array.isArray(value) ? types.array === true : types.object === true
}

function isListed(values: Record<string, true>, { numbers }: ShieldSchema, value: unknown): boolean {
  if (typeof value === 'string') return values[`s:${value}`] === true
  if (typeof value === 'number') return numbers[value] === true
  if (typeof value === 'boolean') return values[`b:${value}`] === true
  return (typeof value !== 'object' || value === null) && values.null === true
}

/** The number of UTF-8 characters. */
function lengthOf(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 128 || code >= 192) length++
  }
  return length
}

function fitsText(schema: ShieldSchema, text: string, tools: Tools): boolean {
  const { lengthMin, lengthMax, expressions } = schema
  if (lengthMin !== undefined || (lengthMax !== undefined && text.length > lengthMax)) {
    const length = lengthOf(text)
    if (length < (lengthMin ?? 0) || length > (lengthMax ?? length)) return false
  }
  if (expressions.length === 0) return true
  // `$` also matches before a final line feed, and the matcher sees only a truncated subject.
  if (text.length > subjectMax || text.endsWith('\n')) return false
  for (const expression of expressions) if (!tools.matches(expression, text)) return false
  return true
}

function fitsNumber({ least, most, isAboveLeast, isBelowMost }: ShieldSchema, value: number): boolean {
  if (least !== undefined && (value < least || (isAboveLeast === true && value === least))) return false
  return most === undefined || (value <= most && (isBelowMost !== true || value !== most))
}

function fitsList(run: Run, schema: ShieldSchema, list: readonly unknown[], depth: number): boolean {
  const { items, itemsMin, itemsMax } = schema
  if (list.length < (itemsMin ?? 0) || list.length > (itemsMax ?? list.length)) return false
  if (items === undefined) return true
  let at = 0
  for (const item of list) {
    if (!fits(run, items, item, depth + 1)) {
      run.where = `/${at}${run.where}`
      return false
    }
    at++
  }
  return true
}

function fitsMembers(run: Run, schema: ShieldSchema, given: Members, depth: number): boolean {
  const { members, required, isClosed, others, membersMin, membersMax } = schema
  for (const name of required ?? []) {
    if (given[name] !== undefined) continue
    run.where = `/${name}`
    return false
  }
  let count = 0
  for (const name in given) {
    count++
    const place = members[name] ?? others
    if (place === undefined ? isClosed === true : !fits(run, place, given[name], depth + 1)) {
      run.where = `/${name}${place === undefined ? '' : run.where}`
      return false
    }
  }
  return count >= (membersMin ?? 0) && count <= (membersMax ?? count)
}

/** How many of the schemas the value fits, counting up to `enough`. */
function countFitting(run: Run, places: readonly number[], value: unknown, depth: number, enough: number): number {
  let count = 0
  for (const place of places) {
    if (fits(run, place, value, depth + 1)) count++
    if (count === enough || run.isCut) break
  }
  run.where = ''
  return count
}

/** If `where` is empty after a mismatch, the value itself is wrong. */
export function fits(run: Run, place: number, value: unknown, depth = 0): boolean {
  run.steps--
  run.where = ''
  if (run.steps < 0 || depth > depthMax) {
    run.isCut = true
    return false
  }
  const schema = run.schemas[place]!
  const { types, values, all, any, one } = schema
  if (types !== undefined && !hasType(types, value)) return false
  if (values !== undefined && !isListed(values, schema, value)) return false
  if (typeof value === 'string') {
    if (!fitsText(schema, value, run.tools)) return false
  } else if (typeof value === 'number') {
    if (!fitsNumber(schema, value)) return false
  } else if (typeof value === 'object' && value !== null) {
    const isList = Array.isArray(value) && !(isEmpty(value as never) && types?.object === true)
    const isFitting = isList
      ? fitsList(run, schema, value as unknown[], depth)
      : fitsMembers(run, schema, value as Members, depth)
    if (!isFitting) return false
  }
  if (all !== undefined) for (const of of all) if (!fits(run, of, value, depth + 1)) return false
  if (any !== undefined && countFitting(run, any, value, depth, 1) === 0) return false
  return one === undefined || countFitting(run, one, value, depth, 2) === 1
}

const [zero, nine, minus] = [48, 57, 45]

/** Parses a number in JSON syntax. Returns undefined for any other text. */
function numberIn(text: string): number | undefined {
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  if (text.length > 40 || !(last >= zero && last <= nine) || !(first === minus || (first >= zero && first <= nine)))
    return undefined
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Digits and `+ - . E e`.
    const isPart = (code >= zero && code <= nine) || code === 43 || code === 45 || code === 46
    if (!isPart && code !== 69 && code !== 101) return undefined
  }
  const value = Number(text)
  return Number.isNaN(value) ? undefined : value
}

/** Whether a text fits, either as is or as the number or boolean that it spells. */
export function fitsAsText(run: Run, place: number, text: string): boolean {
  if (fits(run, place, text)) return true
  const number = text === '' ? undefined : numberIn(text)
  if (number !== undefined && fits(run, place, number)) return true
  return (text === 'true' || text === 'false') && fits(run, place, text === 'true')
}
