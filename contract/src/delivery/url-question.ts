/** A question about a URL of a site: what cache simulation and request trace have in common. */
import { z } from 'zod'
import { wordOf } from '../enumeration.ts'
import { HeaderName, HeaderValue, methods, urlCharsMax } from '../fields.ts'

const headersMax = 50
export const AskedHeaders = z
  .array(z.strictObject({ key: HeaderName, value: HeaderValue }))
  .max(headersMax, 'itemsExceedLimit')
  .default([])

export const UrlQuestion = z.strictObject({
  method: wordOf('Method', 'A method of HTTP.', methods).default('GET'),
  url: z
    .string()
    .trim()
    .min(1, 'required')
    .max(urlCharsMax, 'charactersExceedLimit')
    .describe('A URL of one of the site’s domains, or a path of its first.'),
  headers: AskedHeaders.describe('Of the request.'),
})
export type UrlQuestion = z.output<typeof UrlQuestion>
