/** Builds the values of a collection. With loops, because LuaJIT does not compile a function that creates a closure. */
import type { Pair } from '../../lib/waf-tools.ts'
import type { Parsed } from './documents.ts'
import type { Value } from './form.ts'

export const one = (name: string, value: string): Value[] => [{ name, value }]

export const named = (from: string, given: readonly Pair[]): Value[] => addNamed([], from, given)

export function addNamed(values: Value[], from: string, given: readonly Pair[]): Value[] {
  for (const { name, value } of given) values.push({ name: `${from}:${name}`, value })
  return values
}

export const names = (from: string, given: readonly Pair[]): Value[] => addNames([], from, given)

export function addNames(values: Value[], from: string, given: readonly Pair[]): Value[] {
  for (const { name } of given) values.push({ name: `${from}:${name}`, value: name })
  return values
}

/** One value for each header. */
export function headersOf(from: string, names: readonly string[], given: readonly string[]): Value[] {
  const values: Value[] = []
  for (let at = 0; at < names.length; at++) values.push({ name: `${from}:${names[at]!}`, value: given[at]! })
  return values
}

export function ofDocument({ texts, attributes }: Parsed): Value[] {
  const joined = texts.join(' ')
  const values: Value[] = joined === '' ? [] : one('XML:texts', joined)
  for (const value of attributes) if (value !== '') values.push({ name: 'XML:attributes', value })
  return values
}

export function setOf(setNames: readonly string[], set: Readonly<Record<string, string>>): Value[] {
  const values: Value[] = []
  for (const name of setNames) values.push({ name: `TX:${name}`, value: set[name]! })
  return values
}

export function namesOf(matched: readonly Value[]): Value[] {
  const values: Value[] = []
  for (const { name } of matched) values.push({ name, value: name })
  return values
}

export function bytesOf(given: readonly Pair[]): number {
  let bytes = 0
  for (const { name, value } of given) bytes += name.length + value.length
  return bytes
}

export function basename(path: string): string {
  let last = -1
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) last = at
  return path.substring(last + 1)
}
