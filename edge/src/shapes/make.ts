/**
 * Generates the shapes with which nginx checks artefacts and parts, from the schemas of the contract. Constraints
 * beyond the structure (ranges, patterns, refinements) are checked by the agent with the schema itself.
 */
import { Artefact } from '@breakwater/contract/edge/artefact.ts'
import { Part } from '@breakwater/contract/edge/parts.ts'
import { Hash } from '@breakwater/contract/hash.ts'
import { z } from 'zod'

type Json = {
  type?: string
  const?: unknown
  enum?: unknown[]
  pattern?: string
  items?: Json
  properties?: Record<string, Json>
  required?: string[]
  additionalProperties?: unknown
}

const jsonOf = (schema: z.ZodType): Json => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json
const hashPattern = jsonOf(Hash).pattern

/** A shape as code. Throws if no shape can check the schema. */
function codeOf(json: Json, used: Set<string>): string {
  const use = (name: string) => {
    used.add(name)
    return name
  }
  const words = json.const !== undefined ? [json.const] : json.enum
  if (words?.every((word) => typeof word === 'string'))
    return `${use('oneOf')}(${words.map((word) => JSON.stringify(word)).join(', ')})`
  if (json.type === 'string') return use(json.pattern === hashPattern ? 'hash' : 'text')
  if (json.type === 'integer' || (json.type === 'number' && Number.isInteger(json.const))) return use('whole')
  if (json.type === 'number') return use('amount')
  if (json.type === 'boolean') return use('flag')
  if (json.type === 'array' && json.items) return `${use('listOf')}(${codeOf(json.items, used)})`
  if (json.type !== 'object' || !json.properties) throw new Error(`no shape for ${JSON.stringify(json).slice(0, 200)}`)
  const required = new Set(json.required)
  const fields = Object.entries(json.properties).map(([name, field]) => {
    const code = codeOf(field, used)
    return `${name}: ${required.has(name) ? code : `${use('optional')}(${code})`}`
  })
  // A strict schema rejects unknown properties.
  const strict = json.additionalProperties === false ? ', true' : ''
  return `${use('record')}({ ${fields.join(', ')} }${strict})`
}

/** The content of `request/sites/shapes.ts`. */
export function makeShapes(): string {
  const used = new Set<string>()
  const artefact = codeOf(jsonOf(Artefact), used)
  const parts = Part.options.map((schema) => {
    const json = jsonOf(schema)
    return `  ${json.properties?.kind?.const}: ${codeOf(json, used)},`
  })
  const names = [...used, 'type Shape'].sort((a, b) => a.replace('type ', '').localeCompare(b.replace('type ', '')))
  return `/** Generated from contract/src/edge/artefact.ts by edge/src/shapes/write.ts; not edited by hand. */
import { ${names.join(', ')} } from '../lib/shape.ts'

export const artefact: Shape = ${artefact}

/** By kind. */
export const parts: Record<string, Shape> = {
${parts.join('\n')}
}
`
}
