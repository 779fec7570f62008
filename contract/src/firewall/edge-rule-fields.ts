/** Fields of rules as nodes get them. */
import { z } from 'zod'
import { parseRange } from '../addresses.ts'
import { urlCharsMax } from '../fields.ts'
import { checkUrlRegex } from '../url-regex.ts'

export const Cidr = z.string().refine((text) => parseRange(text) !== undefined, 'not an address range')

/** Empty for every URL. Expressions that could explode are rejected here, as they are when saved. */
export const EdgeRegex = z
  .string()
  .max(urlCharsMax)
  .refine((source) => source === '' || checkUrlRegex(source) === undefined, 'not a safe regular expression')

/** More than any limit of the product, and far below what a node could not handle. */
export const rulesMax = 10_000

/** A list without duplicate ids: buckets, hits and refusals are told apart by id. */
export const distinct = <S extends z.ZodType<{ id: number }>>(item: S, max: number) =>
  z
    .array(item)
    .max(max)
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, 'an id stands twice')

const common = {
  id: z.number().int(),
  urlRegex: EdgeRegex,
  mode: z.enum(['enforce', 'observe']),
  /** Epoch seconds at which the rule stops; absent for never. */
  expiresAt: z.number().int().nonnegative().optional(),
}

/**
 * A firewall rule with the fields of its kind. It is strict: a field that a node does not know may be what protects the
 * site.
 */
export const edgeRule = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject({ ...common, ...shape })
