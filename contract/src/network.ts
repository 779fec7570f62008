/** An address, a network or a range as people write it. */
import { z } from 'zod'
import { parseRange } from './addresses.ts'

export const Network = z
  .string()
  .max(64, 'wrongFormat')
  .refine((text) => parseRange(text) !== undefined, 'wrongFormat')
