/** The part of kind `apiShield`: an OpenAPI document as flat tables, which point into each other by their places. */
import { z } from 'zod'
import { EdgeRegex } from '../firewall/edge-rule-fields.ts'

/** What a node may be given, above what a document of the largest size comes to. */
export const shieldTableMax = 50_000
const Texts = z.array(z.string().max(2048)).max(shieldTableMax)
/** A place in a table, counted from 0. */
const Place = z.number().int().min(0).max(shieldTableMax)
const Places = z.array(Place).max(1000)
const Count = z.number().int().nonnegative()

export const shieldTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const

/** What a value must be. Every field is absent where nothing is asked. */
export const EdgeShieldSchema = z.strictObject({
  types: z.array(z.enum(shieldTypes)).max(7).optional(),
  /** Scalars with their kind: `s:` text, `n:` number, `b:true`, `null`. */
  values: Texts.optional(),
  least: z.number().optional(),
  most: z.number().optional(),
  /** Whether the bound itself is too little or too much. */
  isAboveLeast: z.boolean().optional(),
  isBelowMost: z.boolean().optional(),
  /** Characters of a text. */
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
  /** True where an object may hold no other names. */
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

/** A segment of a path that a parameter stands in. */
const Gap = z.strictObject({
  /** What stands before and behind it within the segment. */
  before: z.string().max(256),
  behind: z.string().max(256),
  to: Place,
})

/** Where a path is after some of its segments. */
const Node = z.strictObject({
  names: Texts,
  /** The nodes that those segments lead to. */
  to: z.array(Place).max(shieldTableMax),
  gaps: z.array(Gap).max(100),
  /** The methods that the path has, if it ends here, and their operations. */
  methods: z.array(z.string().max(16)).max(10),
  operations: z.array(Place).max(10),
})
export type EdgeShieldNode = z.output<typeof Node>

const Parameter = z.strictObject({
  in: z.enum(['query', 'header', 'path']),
  name: z.string().min(1).max(256),
  /** Of a path: which of its gaps, counted from 0. */
  gap: Place.optional(),
  isRequired: z.boolean(),
  /** Absent where any text will do. */
  schema: Place.optional(),
  /** Whether it may be sent several times. */
  isMany: z.boolean(),
  /** What its values stand apart by; '' where one text is one value. */
  split: z.enum(['', ',', '|', ' ']),
})
export type EdgeShieldParameter = z.output<typeof Parameter>

const Operation = z.strictObject({
  /** In the order of the document, from 1. */
  id: z.number().int().positive(),
  parameters: z.array(Parameter).max(500),
  /** Whether the query may hold names that are not among them, and how names may begin. */
  isOpen: z.boolean(),
  beginnings: z.array(z.string().max(256)).max(100),
  body: z.enum(['none', 'optional', 'required']),
  /** Media types of the body, lower case; `*` at the end of one means any. JSON has a schema where one is given. */
  media: z.array(z.strictObject({ type: z.string().max(256), isJson: z.boolean(), schema: Place.optional() })).max(50),
})
export type EdgeShieldOperation = z.output<typeof Operation>

export const ApiShieldPart = z.strictObject({
  kind: z.literal('apiShield'),
  mode: z.enum(['enforce', 'observe']),
  /** Paths that the document speaks of; one that ends in a slash means all below it. All others pass. */
  scope: z.array(z.string().startsWith('/').max(2048)).min(1).max(50),
  /** The most of a body that is read, in bytes. */
  bodyBytes: z.number().int().min(1024).max(1_048_576),
  /** What becomes of a request that cannot be looked at whole. */
  overBudget: z.enum(['block', 'pass']),
  /** Its root is the first. */
  nodes: z.array(Node).min(1).max(shieldTableMax),
  operations: z.array(Operation).max(5000),
  schemas: z.array(EdgeShieldSchema).max(shieldTableMax),
})
export type ApiShieldPart = z.output<typeof ApiShieldPart>
