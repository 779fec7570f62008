/** Compiles an OpenAPI document into the tables that nodes compare requests with. Pure; throws a DocumentProblem. */
import type { ApiShieldPart, EdgeShieldOperation } from '@breakwater/contract/edge/api-shield-part.ts'
import { type ShieldReading, shieldOperationsMax } from '@breakwater/contract/firewall/api-shield.ts'
import { compileParameters, keysInQuery, type Reading } from './parameters.ts'
import { PathTree, readTemplate } from './path-tree.ts'
import { DocumentProblem, type Notes, note } from './problem.ts'
import { isTree, own, readDocument, type Tree } from './read-document.ts'
import { below, resolve } from './references.ts'
import { Schemas } from './schemas.ts'

export type CompiledDocument = {
  tables: Pick<ApiShieldPart, 'nodes' | 'operations' | 'schemas'>
  title: string
  operations: ShieldReading['operations']
  notes: Notes
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const pathFields = ['summary', 'description', 'servers', 'parameters', '$ref']
const prefixesMax = 5
const parametersMax = 20_000

/** Cache of the documents compiled last: a site's document is compiled at each change of the site. */
const known = new Map<string, CompiledDocument>()
const knownMax = 20

export function compileDocument(text: string): CompiledDocument {
  const before = known.get(text)
  if (before) return before
  const compiled = compileAnew(text)
  if (known.size >= knownMax) known.delete(known.keys().next().value!)
  known.set(text, compiled)
  return compiled
}

function compileAnew(text: string): CompiledDocument {
  try {
    return compileTree(readDocument(text))
  } catch (problem) {
    // A chain of references thousands of schemas long.
    if (problem instanceof RangeError) throw new DocumentProblem('tooDeep')
    throw problem
  }
}

function compileTree(root: Tree): CompiledDocument {
  const version = own(root, 'openapi')
  if (typeof version !== 'string' || !/^3\.[01](\.|$)/.test(version))
    throw new DocumentProblem('notOpenApi', '#/openapi')
  const paths = own(root, 'paths') ?? {}
  if (!isTree(paths)) throw new DocumentProblem('notOpenApi', '#/paths')
  const notes: Notes = []
  const reading: Reading = { root, notes, schemas: new Schemas(root, notes, version.startsWith('3.1')) }
  const tree = new PathTree()
  const operations: EdgeShieldOperation[] = []
  const told: ShieldReading['operations'] = []
  const keys = keysInQuery(reading)
  const prefixes = prefixesOf(root, notes)
  let parametersLeft = parametersMax
  for (const [path, given] of Object.entries(paths)) {
    if (path.startsWith('x-')) continue
    const where = below('#/paths', path)
    const { value: item, where: at } = resolve(root, given, where)
    if (!isTree(item)) throw new DocumentProblem('wrongPath', where)
    const template = readTemplate(path, where)
    if (own(item, 'servers') !== undefined) note(notes, 'server', below(at, 'servers'))
    for (const name of Object.keys(item)) {
      if (!methods.includes(name)) {
        if (!pathFields.includes(name) && !name.startsWith('x-')) note(notes, 'method', below(at, name))
        continue
      }
      if (operations.length >= shieldOperationsMax) throw new DocumentProblem('tooMuch', '#/paths')
      const place = operations.length
      const operation = operationOf(reading, item, name, { at, id: place + 1, gaps: template.gaps, keys })
      parametersLeft -= operation.parameters.length
      if (parametersLeft < 0) throw new DocumentProblem('tooMuch', where)
      operations.push(operation)
      told.push({ id: place + 1, method: name.toUpperCase(), path })
      for (const prefix of prefixes) tree.add([...prefix, ...template.segments], name.toUpperCase(), place, where)
    }
  }
  reading.schemas.requireEnds()
  const info = own(root, 'info')
  const title = isTree(info) ? own(info, 'title') : ''
  return {
    tables: { nodes: tree.nodes, operations, schemas: reading.schemas.rows },
    title: typeof title === 'string' ? title.slice(0, 256) : '',
    ...{ operations: told, notes },
  }
}

type About = { at: string; id: number; gaps: readonly string[]; keys: EdgeShieldOperation['parameters'] }

function operationOf(reading: Reading, item: Tree, method: string, { at, id, gaps, keys }: About): EdgeShieldOperation {
  const where = below(at, method)
  const value = own(item, method)
  if (!isTree(value)) throw new DocumentProblem('wrongPath', where)
  if (own(value, 'servers') !== undefined) note(reading.notes, 'server', below(where, 'servers'))
  const { parameters, isOpen, beginnings } = compileParameters(
    reading,
    [
      [own(item, 'parameters'), below(at, 'parameters')],
      [own(value, 'parameters'), below(where, 'parameters')],
    ],
    gaps,
  )
  const missing = keys.filter((key) => !parameters.some((one) => one.in === 'query' && one.name === key.name))
  return { id, parameters: [...parameters, ...missing], isOpen, beginnings, ...bodyOf(reading, value, where) }
}

/** JSON is compared with its schema, other media types by name only. */
function bodyOf(reading: Reading, operation: Tree, where: string): Pick<EdgeShieldOperation, 'body' | 'media'> {
  const given = own(operation, 'requestBody')
  if (given === undefined) return { body: 'none', media: [] }
  const { value, where: at } = resolve(reading.root, given, below(where, 'requestBody'))
  const content = isTree(value) ? (own(value, 'content') ?? {}) : undefined
  if (!isTree(value) || !isTree(content) || Object.keys(content).length > 50)
    throw new DocumentProblem('wrongSchema', at)
  const media = Object.entries(content).map(([name, of]) => {
    const type = name.split(';')[0]!.trim().toLowerCase()
    const place = below(below(at, 'content'), name)
    if (type === '' || type.length > 256) throw new DocumentProblem('wrongSchema', place)
    const isJson = type === 'application/json' || type.endsWith('+json')
    const schema = isTree(of) ? own(of, 'schema') : undefined
    if (!isJson && schema !== undefined) note(reading.notes, 'content', place)
    return {
      ...{ type: type === '*/*' ? '*' : type, isJson },
      ...(isJson && schema !== undefined && { schema: reading.schemas.place(schema, below(place, 'schema')) }),
    }
  })
  return { body: own(value, 'required') === true ? 'required' : 'optional', media }
}

/** The base paths of the servers, to which the document's paths are relative; they apply to every host. */
function prefixesOf(root: Tree, notes: Notes): string[][] {
  const servers = own(root, 'servers')
  const found = new Set<string>()
  for (const [i, server] of (Array.isArray(servers) ? servers : []).entries()) {
    const url = isTree(server) ? own(server, 'url') : undefined
    const path = typeof url === 'string' ? pathOf(url) : undefined
    if (path === undefined) note(notes, 'server', below('#/servers', i))
    else found.add(path)
  }
  if (found.size > prefixesMax) throw new DocumentProblem('tooMuch', '#/servers')
  const prefixes = found.size === 0 ? [''] : [...found]
  return prefixes.map(segmentsOf)
}

const segmentsOf = (path: string): string[] => path.split('/').filter((segment) => segment !== '')

/** Its segments, without slashes at the ends; undefined if its path has variables. */
function pathOf(url: string): string | undefined {
  try {
    const path = decodeURIComponent(new URL(url, 'http://site').pathname)
    return /[{}]/.test(path) ? undefined : segmentsOf(path).join('/')
  } catch {
    return undefined
  }
}
