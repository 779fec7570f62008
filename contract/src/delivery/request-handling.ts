/** How the edge reads request paths, and which request headers responses may depend on. */
import { z } from 'zod'
import { isReservedHeader } from '../edge/header-names.ts'
import { wordOf } from '../enumeration.ts'
import { HeaderName } from '../fields.ts'
import { settings } from '../settings.ts'

export const ambiguousPathPolicies = ['match', 'refuse', 'pass'] as const
export const backslashPolicies = ['refuse', 'normalise', 'pass'] as const

export const RequestHandling = z.strictObject({
  ambiguousPaths: wordOf(
    'AmbiguousPathPolicy',
    'Paths that origins read in different ways (`//`, `/../`, `%2F`, `;`): match asks the rules about each reading, refuse answers 400, pass asks about the canonical path alone.',
    ambiguousPathPolicies,
  ),
  backslashes: wordOf(
    'BackslashPolicy',
    'Backslashes in paths: refuse answers 400, normalise makes slashes of them, pass leaves them.',
    backslashPolicies,
  ),
  keyedHeaders: z
    .array(HeaderName.refine((name) => !isReservedHeader(name), 'reservedHeader'))
    .max(10, 'itemsExceedLimit')
    .describe('Request headers that reach the origin on cacheable requests and are part of the cache key.'),
})
export type RequestHandling = z.output<typeof RequestHandling>

export const requestHandling = settings(
  'site',
  'requestHandling',
  {
    id: 'site.setting.requestHandling',
    path: 'setting/requestHandling',
    schema: RequestHandling,
    read: 'cache.read',
    write: 'cache.write',
    beyond: true,
    noun: 'handling of paths and headers of a site’s requests',
  },
  { ambiguousPaths: 'match', backslashes: 'refuse', keyedHeaders: [] },
)
