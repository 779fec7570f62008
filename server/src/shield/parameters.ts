/** Parameters of an operation in the form in which nodes compare them. */
import type { EdgeShieldParameter } from '@breakwater/contract/edge/api-shield-part.ts'
import { DocumentProblem, type Notes, note } from './problem.ts'
import { isTree, own, type Tree } from './read-document.ts'
import { below, resolve } from './references.ts'
import type { Schemas } from './schemas.ts'

const parametersMax = 200
const keysMax = 50

export type Query = {
  parameters: EdgeShieldParameter[]
  /** Whether any other name may appear in the query. */
  isOpen: boolean
  /** Prefixes of object parameters: `filter[`. */
  beginnings: string[]
}

/** The context for reading a document. */
export type Reading = { root: Tree; schemas: Schemas; notes: Notes }

type Given = { name: string; in: string; value: Tree; where: string }

/** Headers that are not parameters even if the document lists them (OpenAPI, Parameter Object). */
const notParameters = ['accept', 'content-type', 'authorization']

/** The parameters of the path and of the operation; the operation's take precedence. */
function givenOf({ root }: Reading, lists: readonly [unknown, string][]): Given[] {
  const found = new Map<string, Given>()
  for (const [list, where] of lists) {
    if (list === undefined) continue
    if (!Array.isArray(list) || list.length > parametersMax) throw new DocumentProblem('wrongParameter', where)
    for (const [i, one] of list.entries()) {
      const { value, where: at } = resolve(root, one, below(where, i))
      const name = isTree(value) ? own(value, 'name') : undefined
      const place = isTree(value) ? own(value, 'in') : undefined
      const isNamed = typeof name === 'string' && name !== '' && name.length <= 256 && typeof place === 'string'
      if (!isTree(value) || !isNamed) throw new DocumentProblem('wrongParameter', at)
      found.set(`${place} ${name}`, { name, in: place, value, where: at })
    }
  }
  return [...found.values()]
}

/** `gaps` are the names of the path's parameters, in order. Throws a DocumentProblem. */
export function compileParameters(
  reading: Reading,
  lists: readonly [unknown, string][],
  gaps: readonly string[],
): Query {
  const out: Query = { parameters: [], isOpen: false, beginnings: [] }
  for (const given of givenOf(reading, lists)) {
    if (given.in === 'query') addQuery(reading, given, out)
    else if (given.in === 'header') {
      const name = given.name.toLowerCase()
      if (!notParameters.includes(name)) out.parameters.push({ ...plain(reading, given), in: 'header', name })
    } else if (given.in === 'path') {
      const gap = gaps.indexOf(given.name)
      if (gap < 0) note(reading.notes, 'parameter', given.where)
      else out.parameters.push({ ...plain(reading, given), in: 'path', isRequired: true, gap })
    } else {
      if (given.in === 'querystring') out.isOpen = true
      note(reading.notes, 'parameter', given.where)
    }
  }
  return out
}

/** A parameter with scalar values, or with several values separated by a character. */
function plain(reading: Reading, { name, in: place, value, where }: Given): EdgeShieldParameter {
  const isRequired = own(value, 'required') === true
  const bare = { in: 'query' as const, name, isRequired, isMany: false, split: '' as const }
  const said = own(value, 'schema')
  if (said === undefined) {
    if (own(value, 'content') !== undefined) note(reading.notes, 'content', where)
    return bare
  }
  const schema = resolve(reading.root, said, below(where, 'schema'))
  if (typesOf(schema.value).includes('array')) return { ...bare, ...listed(reading, value, schema, place) }
  if (typesOf(schema.value).includes('object')) {
    note(reading.notes, 'parameter', where)
    return bare
  }
  if (own(value, 'allowEmptyValue') === true) return bare
  return { ...bare, schema: reading.schemas.place(said, below(where, 'schema')) }
}

function typesOf(schema: unknown): unknown[] {
  if (!isTree(schema)) return []
  return [own(schema, 'type') ?? (own(schema, 'properties') === undefined ? undefined : 'object')].flat()
}

/** Lists are sent as several parameters of the same name, or as one text (`1,2`). */
function listed(
  reading: Reading,
  parameter: Tree,
  { value, where }: { value: unknown; where: string },
  place: string,
): Pick<EdgeShieldParameter, 'isMany' | 'split' | 'schema'> {
  const style = own(parameter, 'style') ?? (place === 'query' ? 'form' : 'simple')
  const isMany = place === 'query' && style === 'form' && own(parameter, 'explode') !== false
  const apart = style === 'pipeDelimited' ? '|' : style === 'spaceDelimited' ? ' ' : ','
  const items = isTree(value) ? own(value, 'items') : undefined
  return {
    ...{ isMany, split: isMany ? '' : apart },
    ...(items !== undefined && { schema: reading.schemas.place(items, below(where, 'items')) }),
  }
}

/** An object appears in the query as `filter[name]`, or as one parameter per property. */
function addQuery(reading: Reading, given: Given, out: Query): void {
  const { value, where, name } = given
  const schema = resolve(reading.root, own(value, 'schema'), below(where, 'schema'))
  if (!typesOf(schema.value).includes('object') || !isTree(schema.value)) {
    out.parameters.push(plain(reading, given))
    return
  }
  if (own(value, 'style') === 'deepObject') {
    note(reading.notes, 'parameter', where)
    out.beginnings.push(`${name}[`)
    return
  }
  if (own(value, 'explode') === false) {
    out.parameters.push(plain(reading, given))
    return
  }
  const properties = own(schema.value, 'properties') ?? {}
  if (!isTree(properties) || own(schema.value, 'additionalProperties') !== false) out.isOpen = true
  for (const [property, of] of Object.entries(isTree(properties) ? properties : {})) {
    const place = reading.schemas.place(of, below(below(schema.where, 'properties'), property))
    out.parameters.push({ in: 'query', name: property, isRequired: false, schema: place, isMany: true, split: '' })
  }
}

/** API keys that are sent in the query: every operation may have them. */
export function keysInQuery({ root }: Reading): EdgeShieldParameter[] {
  const components = own(root, 'components')
  const schemes = isTree(components) ? own(components, 'securitySchemes') : undefined
  const given = Object.values(isTree(schemes) ? schemes : {}).slice(0, keysMax)
  return given.flatMap((scheme) => {
    const { value } = resolve(root, scheme, '#/components/securitySchemes')
    const name = isTree(value) && own(value, 'in') === 'query' ? own(value, 'name') : undefined
    if (typeof name !== 'string' || name === '' || name.length > 256) return []
    return [{ in: 'query' as const, name, isRequired: false, isMany: false, split: '' as const }]
  })
}
