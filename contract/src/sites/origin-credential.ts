/**
 * The origin credential: a header that only our edge sends, so that an origin can refuse everybody else. A secret: it
 * is write-only.
 */
import { z } from 'zod'
import { isReservedHeader } from '../edge/header-names.ts'
import { HeaderName, HeaderValue } from '../fields.ts'
import { settings } from '../settings.ts'

export const OriginCredential = z.strictObject({
  header: HeaderName.refine((name) => !isReservedHeader(name), 'reservedHeader').describe(
    'The header that origins know the edge by.',
  ),
  value: HeaderValue.min(8, 'wrongFormat').describe('Its value. Written, never read.'),
})

export const originCredential = settings(
  'site',
  'originCredential',
  {
    id: 'site.setting.originCredential',
    path: 'setting/originCredential',
    schema: OriginCredential,
    reply: z.object({ header: z.string(), isSet: z.boolean(), version: z.number().int() }),
    read: 'domains.read',
    write: 'domains.write',
    beyond: true,
    noun: 'header and value that the edge sends to a site’s origins; the value never leaves',
  },
  { header: '', isSet: false, version: 0 },
)
