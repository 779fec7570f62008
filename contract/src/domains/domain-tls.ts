/** How visitors reach domains: over TLS, plain HTTP or both, and with which certificates. */
import { z } from 'zod'
import { BasedOn } from '../based-on.ts'
import { endpoint } from '../endpoint.ts'
import { Id, Port } from '../fields.ts'
import { DomainScheme } from './domains.ts'

const of = '/:tier/site/:siteId'
const DomainIds = z.array(Id).min(1, 'required').max(1000, 'itemsExceedLimit')

export const domainTls = {
  autoSSL: endpoint('site.domain.setting.autoSSL', 'POST', `${of}/domain/setting/autoSSL`, {
    can: 'domains.write',
    body: z.strictObject({ ids: DomainIds, enable: z.boolean() }),
    summary: 'Turns automatic certificates on or off for domains.',
  }),
  forceSSL: endpoint('site.domain.setting.forceSSL', 'PATCH', `${of}/domain/setting/forceSSL`, {
    can: 'domains.write',
    body: z.strictObject({ ids: DomainIds, forceSSL: z.boolean() }),
    summary: 'Turns forced HTTPS on or off. It takes effect once a domain has a certificate.',
  }),
  scheme: endpoint('site.domain.scheme', 'PUT', `${of}/domain/:domainId/scheme`, {
    can: 'domains.write',
    body: z.strictObject({
      basedOn: BasedOn,
      scheme: DomainScheme,
      portMap: z
        .record(z.string().regex(/^\d{1,5}$/, 'wrongFormat'), Port)
        .default({})
        .describe('By the port that visitors use, the port of every origin in its place.'),
    }),
    summary: 'Sets the scheme visitors use and the ports of the origins.',
  }),
}
