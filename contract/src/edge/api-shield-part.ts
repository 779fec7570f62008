/** The part of kind `apiShield`: an OpenAPI document as flat tables that refer to each other by index. */
import { z } from 'zod'
import { EdgeRegex } from '../firewall/edge-rule-fields.ts'

/** The limit of what a node accepts, above what the largest document yields. */
export const shieldTableMax = 50_000
const Texts = z.array(z.string().max(2048)).max(shieldTableMax)
/** An index into a table, from 0. */
const Place = z.number().int().min(0).max(shieldTableMax)
const Places = z.array(Place).max(1000)
const Count = z.number().int().nonnegative()

export const shieldTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const

/** What a value must be. A field is absent if nothing is required of it. */
export const EdgeShieldSchema = z.strictObject({
  types: z.array(z.enum(shieldTypes)).max(7).optional(),
  /** Scalars with their type: `s:` text, `n:` number, `b:true`, `null`. */
  values: Texts.optional(),
  least: z.number().optional(),
  most: z.number().optional(),
  /** Whether the bound itself is excluded. */
  isAboveLeast: z.boolean().optional(),
  isBelowMost: z.boolean().optional(),
  /** Characters of a string. */
  lengthMin: Count.optional(),
  lengthMax: Count.optional(),
  pattern: EdgeRegex.optional(),
  format: z.enum(['uuid', 'date', 'date-time']).optional(),
  items: Place.optional(),
  itemsMin: Count.optional(),
  itemsMax: Count.optional(),
  names: Texts.optional(),
  /** The schemas of those names. */
  members: z.array(Place).max(shieldTableMax).optional(),
  required: Texts.optional(),
  /** True if an object may have no other names. */
  isClosed: z.boolean().optional(),
  /** The schema of all other names. */
  others: Place.optional(),
  membersMin: Count.optional(),
  membersMax: Count.optional(),
  all: Places.optional(),
  any: Places.optional(),
  one: Places.optional(),
})
export type EdgeShieldSchema = z.output<typeof EdgeShieldSchema>

/** A path segment that contains a parameter. */
const Gap = z.strictObject({
  /** The text before and after the parameter within the segment. */
  before: z.string().max(256),
  behind: z.string().max(256),
  to: Place,
})

/** A node of the path tree, reached after some segments. */
const Node = z.strictObject({
  names: Texts,
  /** The nodes that those segments lead to. */
  to: z.array(Place).max(shieldTableMax),
  gaps: z.array(Gap).max(100),
  /** The methods of the path, if it ends here, and their operations. */
  methods: z.array(z.string().max(16)).max(10),
  operations: z.array(Place).max(10),
})
export type EdgeShieldNode = z.output<typeof Node>

const Parameter = z.strictObject({
  in: z.enum(['query', 'header', 'path']),
  name: z.string().min(1).max(256),
  /** For a path parameter: which of the path's gaps, from 0. */
  gap: Place.optional(),
  isRequired: z.boolean(),
  /** Absent if any text is allowed. */
  schema: Place.optional(),
  /** Whether it may be sent several times. */
  isMany: z.boolean(),
  /** The separator of its values; '' if the text is a single value. */
  split: z.enum(['', ',', '|', ' ']),
})
export type EdgeShieldParameter = z.output<typeof Parameter>

const Operation = z.strictObject({
  /** In the order of the document, from 1. */
  id: z.number().int().positive(),
  parameters: z.array(Parameter).max(500),
  /** Whether the query may have names that are not listed, and prefixes that names may have. */
  isOpen: z.boolean(),
  beginnings: z.array(z.string().max(256)).max(100),
  body: z.enum(['none', 'optional', 'required']),
  /** Media types of the body, lower case; a trailing `*` matches any. JSON has a schema if the document gives one. */
  media: z.array(z.strictObject({ type: z.string().max(256), isJson: z.boolean(), schema: Place.optional() })).max(50),
})
export type EdgeShieldOperation = z.output<typeof Operation>

export const ApiShieldPart = z.strictObject({
  kind: z.literal('apiShield'),
  mode: z.enum(['enforce', 'observe']),
  /** Paths that the document covers; one that ends in a slash includes everything below it. All others pass. */
  scope: z.array(z.string().startsWith('/').max(2048)).min(1).max(50),
  /** The most of a body that is read, in bytes. */
  bodyBytes: z.number().int().min(1024).max(1_048_576),
  /** What happens to a request that cannot be inspected in full. */
  overBudget: z.enum(['block', 'pass']),
  /** The root comes first. */
  nodes: z.array(Node).min(1).max(shieldTableMax),
  operations: z.array(Operation).max(5000),
  schemas: z.array(EdgeShieldSchema).max(shieldTableMax),
})
export type ApiShieldPart = z.output<typeof ApiShieldPart>
