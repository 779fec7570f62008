/** JSON Schemas of the contract for an OpenAPI document: named schemas become components, written once. */
import { z } from 'zod'

export type Json = Record<string, unknown>

const prefix = '#/$defs/'

export class SchemaComponents {
  readonly schemas: Record<string, Json> = {}

  /** The schema of a value as sent (`input`) or returned (`output`). Throws if two schemas share a name. */
  of(schema: z.ZodType, io: 'input' | 'output'): Json {
    const options = { io, unrepresentable: 'any', reused: 'inline' } as const
    const { $schema: _, $defs = {}, ...root } = z.toJSONSchema(schema, options) as Json & { $defs?: Json }
    for (const [name, definition] of Object.entries($defs)) this.add(name, definition as Json)
    return withComponents(root) as Json
  }

  private add(name: string, { id: _, ...definition }: Json): void {
    if (name.startsWith('__'))
      throw new Error(`a recursive schema of the contract has no name: ${JSON.stringify(definition)}`)
    const made = withComponents(definition) as Json
    const before = this.schemas[name]
    if (before && JSON.stringify(before) !== JSON.stringify(made)) throw new Error(`two schemas are named ${name}`)
    this.schemas[name] = made
  }
}

/** The same schema with its references pointing to components. */
function withComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponents)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, part]) => {
    if (key !== '$ref' || typeof part !== 'string') return [key, withComponents(part)]
    if (!part.startsWith(prefix)) throw new Error(`a reference that leads out of its schema: ${part}`)
    return [key, `#/components/schemas/${part.slice(prefix.length)}`]
  })
  return Object.fromEntries(entries)
}
