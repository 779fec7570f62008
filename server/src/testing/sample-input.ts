/**
 * Values that a schema of the contract accepts, found by trying, so that a test can change one field of a valid body.
 */
import { z } from 'zod'

/** Tried in this order. Hosts and addresses refer to this machine, so that nothing waits for a network. */
const candidates: unknown[] = [
  ...['127.0.0.1', 'x.example.com', 'a@example.com', '^/', 'text', 'A-Name', 'Sample-pass-1', 'en_US', '/a.css'],
  ...['https://127.0.0.1:9/x', '127.0.0.0/8', '#112233', '2030-01-01T00:00:00Z', 'x'.repeat(40), '1', ''],
  ...[1, 60, 443, 65_536, true, null, {}, []],
]

/** A value for a schema, including every optional field for which one is found; undefined if none is found. */
export function sampleOf(schema: z.ZodType): unknown {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodObject) {
    const shape = inner.shape as Record<string, z.ZodType>
    const sample = Object.fromEntries(
      Object.entries(shape).flatMap(([name, field]) => {
        const value = sampleOf(field)
        return value === undefined ? [] : [[name, value]]
      }),
    )
    return sample
  }
  if (inner instanceof z.ZodArray) {
    const item = sampleOf(inner.element as z.ZodType)
    return item === undefined ? [] : [item]
  }
  if (inner instanceof z.ZodEnum) return inner.options[0]
  if (inner instanceof z.ZodLiteral) return [...inner.values][0]
  if (inner instanceof z.ZodUnion) {
    return inner.options.map((option) => sampleOf(option as z.ZodType)).find((value) => value !== undefined)
  }
  return candidates.find((value) => schema.safeParse(value).success)
}

/** The inner schema, without wrappers that make it optional or transform it. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return unwrapped(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodPipe) {
    const [from, to] = [schema.in as z.ZodType, schema.out as z.ZodType]
    if (from instanceof z.ZodTransform) return unwrapped(to)
    return to instanceof z.ZodTransform ? unwrapped(from) : schema
  }
  return schema
}

export type Path = (string | number)[]

/** The paths of all strings, numbers and booleans inside a value. */
export function leavesOf(value: unknown, path: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [path]
  const parts = Object.entries(value).flatMap(([key, part]) =>
    leavesOf(part, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return path.length > 0 ? [path, ...parts] : parts
}

/** A copy with one part replaced. */
export function replaced(value: unknown, path: Path, part: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return part
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) }
  const holder = copy as Record<string | number, unknown>
  holder[key] = replaced(holder[key], rest, part)
  return copy
}
