/**
 * The schemas of a document as a flat table: each is one row, however often it is referenced, so that one may contain
 * itself.
 */
import { type EdgeShieldSchema, shieldTypes } from '@breakwater/contract/edge/api-shield-part.ts'
import { checkUrlRegex } from '@breakwater/contract/url-regex.ts'
import { DocumentProblem, type Notes, note } from './problem.ts'
import { isTree, own, type Tree } from './read-document.ts'
import { below, resolve } from './references.ts'

const schemasMax = 20_000
const valuesMax = 1000

/** Keywords that do not constrain a value, or are handled elsewhere. */
const silent = new Set(
  'type enum const minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern format items minItems maxItems properties required additionalProperties minProperties maxProperties allOf anyOf oneOf nullable title description summary default example examples deprecated readOnly writeOnly externalDocs xml $ref $comment $schema $id $anchor $defs definitions discriminator contentMediaType contentEncoding'.split(
    ' ',
  ),
)
const checkedFormats = new Set(['uuid', 'date', 'date-time'])
const silentFormats = new Set('int32 int64 float double byte binary password'.split(' '))

export class Schemas {
  readonly rows: EdgeShieldSchema[] = []
  readonly #places = new Map<string, number>()
  readonly #root: Tree
  readonly #notes: Notes
  readonly #isModern: boolean

  /** `isModern`: OpenAPI 3.1, in which a reference may have sibling keywords. */
  constructor(root: Tree, notes: Notes, isModern: boolean) {
    this.#root = root
    this.#notes = notes
    this.#isModern = isModern
  }

  /** The row of a schema. */
  place(value: unknown, where: string): number {
    const hasMore = isTree(value) && own(value, '$ref') !== undefined && this.#hasMore(value)
    const found = hasMore ? { value, where } : resolve(this.#root, value, where)
    const before = this.#places.get(found.where)
    if (before !== undefined) return before
    const place = this.rows.length
    if (place >= schemasMax) throw new DocumentProblem('tooMuch', where)
    this.#places.set(found.where, place)
    this.rows.push({})
    this.rows[place] = this.#row(found.value, found.where, hasMore)
    return place
  }

  #hasMore(value: Tree): boolean {
    const words = ['$ref', 'description', 'summary', 'title', 'deprecated', 'default', 'example', 'examples']
    return this.#isModern && Object.keys(value).some((name) => !words.includes(name) && !name.startsWith('x-'))
  }

  #row(value: unknown, where: string, hasMore: boolean): EdgeShieldSchema {
    if (value === true) return {}
    if (value === false) return { any: [] }
    if (!isTree(value)) throw new DocumentProblem('wrongSchema', where)
    for (const name of Object.keys(value))
      if (!silent.has(name) && !name.startsWith('x-')) note(this.#notes, 'keyword', below(where, name))
    const all = this.#list(value, 'allOf', where)
    if (hasMore) {
      const target = resolve(this.#root, { $ref: own(value, '$ref') }, where)
      all.push(this.place(target.value, target.where))
    }
    return {
      ...this.#kind(value, where),
      ...numbers(value, where),
      ...this.#text(value, where),
      ...this.#array(value, where),
      ...this.#object(value, where),
      ...(all.length > 0 && { all }),
      ...(own(value, 'anyOf') !== undefined && { any: this.#list(value, 'anyOf', where) }),
      ...(own(value, 'oneOf') !== undefined && { one: this.#list(value, 'oneOf', where) }),
    }
  }

  #list(value: Tree, name: string, where: string): number[] {
    const given = own(value, name)
    if (given === undefined) return []
    if (!Array.isArray(given) || given.length > valuesMax) throw new DocumentProblem('wrongSchema', below(where, name))
    return given.map((one, i) => this.place(one, below(below(where, name), i)))
  }

  #kind(value: Tree, where: string): EdgeShieldSchema {
    const said = own(value, 'type')
    const types = said === undefined ? undefined : [...new Set([said].flat())]
    if (types?.some((type) => !shieldTypes.some((known) => known === type)))
      throw new DocumentProblem('wrongSchema', below(where, 'type'))
    const isNullable = own(value, 'nullable') === true
    const listed = own(value, 'const') === undefined ? own(value, 'enum') : [own(value, 'const')]
    if (listed !== undefined && (!Array.isArray(listed) || listed.length > valuesMax))
      throw new DocumentProblem('wrongSchema', below(where, 'enum'))
    const values = listed?.map(scalarOf)
    if (values?.includes(undefined)) note(this.#notes, 'keyword', below(where, 'enum'))
    return {
      ...(types && { types: [...types, ...(isNullable ? ['null'] : [])] as NonNullable<EdgeShieldSchema['types']> }),
      ...(values && !values.includes(undefined) && { values: values as string[] }),
    }
  }

  #text(value: Tree, where: string): EdgeShieldSchema {
    const pattern = own(value, 'pattern')
    const isSafe = typeof pattern === 'string' && pattern.length <= 2048 && checkUrlRegex(pattern) === undefined
    if (pattern !== undefined && !isSafe) note(this.#notes, 'pattern', below(where, 'pattern'))
    const format = own(value, 'format')
    const isChecked = typeof format === 'string' && checkedFormats.has(format)
    if (typeof format === 'string' && !isChecked && !silentFormats.has(format))
      note(this.#notes, 'format', below(where, 'format'))
    return {
      ...count(value, where, 'minLength', 'lengthMin'),
      ...count(value, where, 'maxLength', 'lengthMax'),
      ...(isSafe && pattern !== '' && { pattern }),
      ...(isChecked && { format: format as NonNullable<EdgeShieldSchema['format']> }),
    }
  }

  #array(value: Tree, where: string): EdgeShieldSchema {
    const items = own(value, 'items')
    const isPlain = items !== undefined && own(value, 'prefixItems') === undefined
    return {
      ...(isPlain && { items: this.place(items, below(where, 'items')) }),
      ...count(value, where, 'minItems', 'itemsMin'),
      ...count(value, where, 'maxItems', 'itemsMax'),
    }
  }

  #object(value: Tree, where: string): EdgeShieldSchema {
    const properties = own(value, 'properties') ?? {}
    const required = own(value, 'required') ?? []
    const others = own(value, 'additionalProperties')
    if (!isTree(properties)) throw new DocumentProblem('wrongSchema', below(where, 'properties'))
    if (!Array.isArray(required) || required.some((name) => typeof name !== 'string'))
      throw new DocumentProblem('wrongSchema', below(where, 'required'))
    const names = Object.keys(properties)
    const isOfAnswers = (name: string) => {
      const property = own(properties, name)
      return isTree(property) && own(property, 'readOnly') === true
    }
    const asked = (required as string[]).filter((name) => !isOfAnswers(name))
    // Names that match a pattern are not known here: a closed schema would reject them.
    const mayHaveOthers = own(value, 'patternProperties') !== undefined
    return {
      ...(names.length > 0 && {
        names,
        members: names.map((name) => this.place(own(properties, name), below(below(where, 'properties'), name))),
      }),
      ...(asked.length > 0 && { required: asked }),
      ...(others === false && !mayHaveOthers && { isClosed: true }),
      ...(isTree(others) && !mayHaveOthers && { others: this.place(others, below(where, 'additionalProperties')) }),
      ...count(value, where, 'minProperties', 'membersMin'),
      ...count(value, where, 'maxProperties', 'membersMax'),
    }
  }

  /** Throws if a schema contains itself via `allOf`: that says nothing, and never ends. */
  requireEnds(): void {
    const done = new Set<number>()
    const visit = (place: number, under: ReadonlySet<number>): void => {
      if (under.has(place)) throw new DocumentProblem('endlessReference', this.#pointerOf(place))
      if (done.has(place)) return
      if (under.size > 100) throw new DocumentProblem('tooDeep', this.#pointerOf(place))
      const { all = [], any = [], one = [] } = this.rows[place]!
      const inside = new Set(under).add(place)
      for (const next of [...all, ...any, ...one]) visit(next, inside)
      done.add(place)
    }
    for (let place = 0; place < this.rows.length; place++) visit(place, new Set())
  }

  #pointerOf(place: number): string {
    for (const [where, found] of this.#places) if (found === place) return where
    return ''
  }
}

/** An enumeration value with its type; undefined if it is not a scalar. */
function scalarOf(value: unknown): string | undefined {
  if (value === null) return 'null'
  if (typeof value === 'string') return value.length > 2000 ? undefined : `s:${value}`
  if (typeof value === 'number') return `n:${value}`
  return typeof value === 'boolean' ? `b:${value}` : undefined
}

function count<K extends keyof EdgeShieldSchema>(value: Tree, where: string, name: string, as: K): EdgeShieldSchema {
  const given = own(value, name)
  if (given === undefined) return {}
  if (typeof given !== 'number' || !Number.isSafeInteger(given) || given < 0)
    throw new DocumentProblem('wrongSchema', below(where, name))
  return { [as]: given }
}

const [least32, most32] = [-2_147_483_648, 2_147_483_647]

/** Bounds; the exclusive forms are numbers of their own in 3.1, and flags next to the bound in 3.0. */
function numbers(value: Tree, where: string): EdgeShieldSchema {
  const number = (name: string): number | undefined => {
    const given = own(value, name)
    if (given === undefined || typeof given === 'boolean') return undefined
    if (typeof given !== 'number' || !Number.isFinite(given))
      throw new DocumentProblem('wrongSchema', below(where, name))
    return given
  }
  const is32 = own(value, 'format') === 'int32'
  const above = number('exclusiveMinimum')
  const under = number('exclusiveMaximum')
  const least = above ?? number('minimum') ?? (is32 ? least32 : undefined)
  const most = under ?? number('maximum') ?? (is32 ? most32 : undefined)
  const isAbove = above !== undefined || own(value, 'exclusiveMinimum') === true
  const isBelow = under !== undefined || own(value, 'exclusiveMaximum') === true
  return {
    ...(least !== undefined && { least, ...(isAbove && { isAboveLeast: true }) }),
    ...(most !== undefined && { most, ...(isBelow && { isBelowMost: true }) }),
  }
}
