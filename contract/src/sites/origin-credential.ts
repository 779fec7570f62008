/** The origin credential: a header that only our edge sends, so that an origin can refuse everybody else. A secret: written, never read (threat T9). */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { HeaderName, HeaderValue, isReservedHeader } from '../fields.ts'

export const originCredential = {
  get: endpoint('site.setting.originCredential.get', 'GET', '/:tier/site/:siteId/setting/originCredential', {
    can: 'domains.read',
    reply: z.object({ header: z.string(), isSet: z.boolean(), version: z.number().int() }),
    beyond: true,
    summary: 'Whether an origin credential is set. The value never leaves.',
  }),
  set: endpoint('site.setting.originCredential.update', 'PUT', '/:tier/site/:siteId/setting/originCredential', {
    can: 'domains.write',
    audit: 'site.setting.originCredential.update',
    body: z.strictObject({
      header: HeaderName.refine((name) => !isReservedHeader(name), 'reservedHeader'),
      value: HeaderValue.min(8, 'wrongFormat'),
    }),
    beyond: true,
    summary: 'Sets the header and value that the edge sends to this site’s origins.',
  }),
  remove: endpoint('site.setting.originCredential.remove', 'DELETE', '/:tier/site/:siteId/setting/originCredential', {
    can: 'domains.write',
    audit: 'site.setting.originCredential.remove',
    beyond: true,
    summary: 'Removes the origin credential.',
  }),
}
