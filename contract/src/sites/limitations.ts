/** What a site may have. */
import { z } from 'zod'

const Count = (max: number) => z.number().int('number').min(0, 'number').max(max, 'number')

/** 0 is no limit. A limit below what is there already is accepted: nothing new is added. */
export const Limitations = z.strictObject({
  domains: Count(1_000_000).describe('Domains (401002).'),
  ports: Count(1000).describe('Ports (401007).'),
  trafficBytes: Count(Number.MAX_SAFE_INTEGER).describe(
    'Bytes to visitors in a month of the accounting zone; a site that has sent more is limited until the next.',
  ),
})
export type Limitations = z.output<typeof Limitations>
