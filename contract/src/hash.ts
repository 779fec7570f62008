/** The names of objects that nodes fetch. */
import { z } from 'zod'

/** Lower-case hexadecimal SHA-256. */
export const Hash = z.string().regex(/^[0-9a-f]{64}$/)
export type Hash = z.output<typeof Hash>
