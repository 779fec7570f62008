/** The limits of a site. */
import { z } from 'zod'

const Count = (max: number) => z.number().int('number').min(0, 'number').max(max, 'number')

/** 0 means no limit. A limit below the current number is accepted: nothing can be added then. */
export const Limitations = z.strictObject({
  domains: Count(1_000_000).describe('Domains (401002).'),
  ports: Count(1000).describe('Ports (401007).'),
  trafficBytes: Count(Number.MAX_SAFE_INTEGER).describe(
    'Bytes to visitors in a month of the accounting zone; a site that has sent more is limited until the next.',
  ),
})
export type Limitations = z.output<typeof Limitations>
