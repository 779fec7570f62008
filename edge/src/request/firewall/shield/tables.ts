/** The compiled tables of an API shield, with records for what requests look up. Shared by sites with equal tables. */
import type {
  ApiShieldPart,
  EdgeShieldNode,
  EdgeShieldOperation,
  EdgeShieldParameter,
  EdgeShieldSchema,
} from '@breakwater/contract/edge/api-shield-part.ts'
import type { CompileTools, Regex } from '../../lib/guard.ts'

export type ShieldSchema = Omit<EdgeShieldSchema, 'types' | 'values' | 'pattern' | 'format' | 'names' | 'members'> & {
  types: Record<string, true> | undefined
  /** Texts, booleans and null with a prefix for their type; numbers are separate, since one has many spellings. */
  values: Record<string, true> | undefined
  numbers: Record<number, true>
  expressions: Regex[]
  members: Record<string, number>
}

export type ShieldNode = {
  names: Record<string, number>
  gaps: EdgeShieldNode['gaps'] | undefined
  methods: Record<string, number>
  /** Whether a path may end here. */
  isEnd: boolean
}

export type ShieldOperation = Pick<EdgeShieldOperation, 'id' | 'isOpen' | 'beginnings' | 'body' | 'media'> & {
  query: Record<string, EdgeShieldParameter>
  required: string[]
  headers: EdgeShieldParameter[] | undefined
  /** Path parameters that have a schema. */
  ofPath: EdgeShieldParameter[] | undefined
}

export type ShieldTables = { nodes: ShieldNode[]; operations: ShieldOperation[]; schemas: ShieldSchema[] }

const digits = '[0-9]{2}'
const date = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
/** Our own expressions, which need no validation. */
const formats = {
  uuid: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  date: `^${date}$`,
  'date-time': `^${date}[Tt ]${digits}:${digits}:${digits}(\\.[0-9]{1,9})?([Zz]|[+-]${digits}:${digits})$`,
}

const setOf = (texts: readonly string[]): Record<string, true> => {
  const set: Record<string, true> = {}
  for (const text of texts) set[text] = true
  return set
}

/** Throws if an index is outside its table. */
export function compileTables({ nodes, operations, schemas }: ApiShieldPart, tools: CompileTools): ShieldTables {
  return {
    nodes: nodes.map((node) => compileNode(node, nodes.length, operations.length)),
    operations: operations.map((operation) => compileOperation(operation, schemas.length)),
    schemas: schemas.map((schema) => compileSchema(schema, schemas.length, tools)),
  }
}

function requirePlace(place: number | undefined, count: number): void {
  if (place !== undefined && place >= count) throw new Error('a place that is in no table')
}

function compileNode(node: EdgeShieldNode, nodes: number, operations: number): ShieldNode {
  const names: Record<string, number> = {}
  const methods: Record<string, number> = {}
  for (let i = 0; i < node.names.length; i++) {
    requirePlace(node.to[i] ?? nodes, nodes)
    names[node.names[i]!] = node.to[i]!
  }
  for (const { to } of node.gaps) requirePlace(to, nodes)
  for (let i = 0; i < node.methods.length; i++) {
    requirePlace(node.operations[i] ?? operations, operations)
    methods[node.methods[i]!] = node.operations[i]!
  }
  return { names, methods, gaps: node.gaps.length === 0 ? undefined : node.gaps, isEnd: node.methods.length > 0 }
}

function compileOperation(given: EdgeShieldOperation, schemas: number): ShieldOperation {
  const { id, isOpen, beginnings, body, media } = given
  const query: Record<string, EdgeShieldParameter> = {}
  const required: string[] = []
  const headers: EdgeShieldParameter[] = []
  const ofPath: EdgeShieldParameter[] = []
  for (const { schema } of media) requirePlace(schema, schemas)
  for (const parameter of given.parameters) {
    requirePlace(parameter.schema, schemas)
    if (parameter.in === 'query') {
      query[parameter.name] = parameter
      if (parameter.isRequired) required.push(parameter.name)
    } else if (parameter.in === 'header') headers.push(parameter)
    else if (parameter.schema !== undefined && parameter.gap !== undefined) ofPath.push(parameter)
  }
  return {
    ...{ id, isOpen, beginnings, body, media, query, required },
    headers: headers.length === 0 ? undefined : headers,
    ofPath: ofPath.length === 0 ? undefined : ofPath,
  }
}

function compileSchema(given: EdgeShieldSchema, schemas: number, tools: CompileTools): ShieldSchema {
  const { types, values, pattern, format, names = [], members: places = [], ...rest } = given
  const numbers: Record<number, true> = {}
  const expressions: Regex[] = []
  const members: Record<string, number> = {}
  for (const value of values ?? []) if (value.startsWith('n:')) numbers[Number(value.substring(2))] = true
  if (pattern !== undefined) expressions.push(tools.regex(pattern))
  if (format !== undefined) expressions.push(tools.regex(formats[format]))
  for (let i = 0; i < names.length; i++) {
    requirePlace(places[i] ?? schemas, schemas)
    members[names[i]!] = places[i]!
  }
  for (const list of [rest.all ?? [], rest.any ?? [], rest.one ?? []]) for (const to of list) requirePlace(to, schemas)
  requirePlace(rest.items, schemas)
  requirePlace(rest.others, schemas)
  return {
    ...rest,
    types: types === undefined ? undefined : setOf(types),
    values: values === undefined ? undefined : setOf(values),
    ...{ numbers, expressions, members },
  }
}
