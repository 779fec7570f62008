/** Input validation: schemas in, catalogue errors out. */
import type { ErrorName, FieldIssue } from '@breakwater/contract/errors.ts'
import type { z } from 'zod'
import { Fault } from './fault.ts'

/** Reasons that have a code of their own in the catalogue; all others are 101003. */
const codeOf: Record<string, ErrorName> = {
  itemsExceedLimit: 'itemsExceedLimit',
  max5000IPs: 'itemsExceedLimit',
  charactersExceedLimit: 'charactersExceedLimit',
  duplicateIP: 'duplicatedData',
  duplicatedData: 'duplicatedData',
  invalidCertificateName: 'invalidCertificateName',
}

/** Our schemas use reason keys as messages; zod's own messages are mapped to the closest key. */
function reasonOf(issue: z.core.$ZodIssue): string {
  if (/^[a-z][A-Za-z0-9_]*$/.test(issue.message)) return issue.message
  if (issue.code === 'unrecognized_keys') return 'unknownField'
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'required'
  return 'wrongFormat'
}

function fieldsOf(issue: z.core.$ZodIssue, prefix: string): FieldIssue[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ field: [...path, key].join('.') || prefix, reason: 'unknownField' }))
  return [{ field: path.join('.') || prefix, reason: reasonOf(issue) }]
}

/**
 * Parses with a schema. Throws a Fault whose extra lists each invalid field with its reason. Every text that reaches a
 * handler passes through here, so that all other code can store, compare and slice it.
 */
export function parse<S extends z.ZodType>(schema: S, value: unknown, prefix: string): z.output<S> {
  // Before the schema, whose own checks may not handle such texts either.
  const path = unstorableIn(value)
  if (path) throw new Fault('parameterError', [{ field: path.join('.') || prefix, reason: 'wrongFormat' }])
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const issues = result.error.issues.flatMap((issue) => fieldsOf(issue, prefix)).slice(0, 100)
  // If the body has a different shape altogether, no single field's code is meaningful.
  const isStrange = issues.some(({ reason }) => reason === 'unknownField')
  throw new Fault((isStrange ? undefined : codeOf[issues[0]?.reason ?? '']) ?? 'parameterError', issues)
}

/** No column can hold a NUL byte; a lone surrogate is not valid Unicode, and JSON columns reject it. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** The path of the first text or key that cannot be stored; undefined if all can. */
function unstorableIn(value: unknown): string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : []
  if (value === null || typeof value !== 'object') return undefined
  for (const [key, part] of Object.entries(value)) {
    if (!isStorable(key)) return [key.toWellFormed().replaceAll('\0', '')]
    const path = unstorableIn(part)
    if (path) return [key, ...path]
  }
  return undefined
}

/** Path parameters: `tier` and hashes stay text, everything else is a positive integer. */
export function parseParams(raw: Record<string, string>): Record<string, string | number> {
  const params: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(raw)) {
    if (name === 'tier') params[name] = value
    else if (/^[1-9]\d{0,9}$/.test(value) && Number(value) < 2 ** 31) params[name] = Number(value)
    else throw new Fault('parameterError', [{ field: name, reason: 'wrongFormat' }])
  }
  return params
}
