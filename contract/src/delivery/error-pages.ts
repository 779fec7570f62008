/**
 * Pages shown to visitors instead of the edge's own: by response status, or by the product's own code for the reason
 * (903, 929). A site's pages take precedence over its operator's.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { numberOf } from '../enumeration.ts'

export const errorPageStatuses = {
  badRequest: 400,
  forbidden: 403,
  failed: 500,
  badGateway: 502,
  gatewayTimeout: 504,
  denied: 903,
  limited: 929,
} as const
const Status = numberOf('ErrorPageStatus', 'What the page is for', errorPageStatuses, 'required')

/** Origin statuses whose pages can be replaced. */
export const interceptable: readonly number[] = [500, 502, 504]

/** The most bytes of a page. */
export const pageBytesMax = 65_536

const Shape = z.strictObject({
  status: Status,
  content: z
    .string()
    .min(1, 'required')
    .refine((text) => new TextEncoder().encode(text).length <= pageBytesMax, 'charactersExceedLimit')
    .describe('HTML; scripts are taken out. `{{reference}}`, `{{host}}` and `{{status}}` are filled in.'),
  enabled: z.boolean().default(true),
  intercept: z
    .boolean()
    .default(false)
    .describe('Whether it replaces the origin’s own page of this status as well: 500, 502 and 504.'),
})
export const ErrorPage = Shape.superRefine(({ status, intercept }, context) => {
  if (intercept && !interceptable.includes(status))
    context.addIssue({ code: 'custom', path: ['intercept'], message: 'wrongFormat' })
})
export type ErrorPage = z.output<typeof ErrorPage>

const callsOf = <const P extends '/client/' | '/:tier/site/:siteId/'>(
  prefix: 'site' | 'client',
  path: P,
  of: string,
) => {
  const place = `${path}setting/errorPages` as const
  const [read, write] =
    prefix === 'client' ? (['settings.read', 'settings.write'] as const) : (['cache.read', 'cache.write'] as const)
  const tiers = prefix === 'client' ? (['client'] as const) : (['user', 'client'] as const)
  return {
    get: endpoint(`${prefix}.setting.errorPages.get`, 'GET', place, {
      tiers,
      can: read,
      reply: z.array(Shape),
      summary: `The error pages of ${of}; of a status that is not among them the edge shows its own.`,
    }),
    update: endpoint(`${prefix}.setting.errorPages.update`, 'PUT', place, {
      tiers,
      can: write,
      body: ErrorPage,
      summary: `Sets the error page of a status of ${of}.`,
    }),
    remove: endpoint(`${prefix}.setting.errorPages.remove`, 'DELETE', place, {
      tiers,
      can: write,
      body: z.strictObject({ status: Status }),
      summary: `Restores the default page of a status.`,
    }),
  }
}

export const siteErrorPages = callsOf('site', '/:tier/site/:siteId/', 'a site')
export const operatorErrorPages = callsOf('client', '/client/', 'all sites of an operator')
