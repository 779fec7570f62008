/** Fields of rules as nodes get them. */
import { z } from 'zod'
import { parseRange } from '../addresses.ts'
import { urlCharsMax } from '../fields.ts'
import { checkUrlRegex } from '../url-regex.ts'

export const Cidr = z.string().refine((text) => parseRange(text) !== undefined, 'not an address range')

/** Empty for every URL. What could explode is refused here as it is when it is saved. */
export const EdgeRegex = z
  .string()
  .max(urlCharsMax)
  .refine((source) => source === '' || checkUrlRegex(source) === undefined, 'not a safe regular expression')

/** More than any limit of the product, and far less than a node could choke on. */
export const rulesMax = 10_000

/** A list in which no two have the same id: buckets, hits and refusals are told apart by it. */
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
 * A rule of the firewall with the fields of its kind. It is strict: a field that a node does not know may be what protects
 * the site.
 */
export const edgeRule = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject({ ...common, ...shape })
