/** Whether responses carry `Cache-Status` (RFC 9211), for troubleshooting. */
import { z } from 'zod'
import { Network } from '../network.ts'
import { settings } from '../settings.ts'

export const CacheStatus = z.strictObject({
  enable: z
    .boolean()
    .describe(
      'Whether answers have a `Cache-Status` (RFC 9211): hit or forwarded, seconds left, the key, the rule, and why an answer is stored or not.',
    ),
  networks: z
    .array(Network)
    .max(100, 'itemsExceedLimit')
    .describe('Addresses and networks of the visitors who get it; none for all visitors.'),
})
export type CacheStatus = z.output<typeof CacheStatus>

export const cacheStatus = settings(
  'site',
  'cacheStatus',
  {
    id: 'site.setting.cacheStatus',
    path: 'setting/cacheStatus',
    schema: CacheStatus,
    read: 'cache.read',
    write: 'cache.write',
    beyond: true,
    noun: 'header that says what the cache made of a request',
  },
  { enable: false, networks: [] },
)
