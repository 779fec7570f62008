/**
 * CORS modules: which other origins' pages may read a site's responses. The edge answers preflights itself and sets the
 * headers on every response.
 */
import { z } from 'zod'
import { hostLike } from '../edge/cors-origin.ts'
import { HeaderName, Memo, Name } from '../fields.ts'
import { settingsModule } from './module-family.ts'

/** An origin as browsers send it, `*` for all, or `https://*.example.com` for the names below one. */
const CorsOrigin = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'required')
  .max(300, 'charactersExceedLimit')
  .refine((origin) => origin === '*' || hostLike.test(origin), 'wrongFormat')

/** A method name (RFC 9110 §9.1): any token, since an application may have methods of its own. */
const CorsMethod = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z][A-Z0-9_-]{0,31}$/, 'wrongFormat')

export const Cors = z.strictObject({
  name: Name,
  memo: Memo.default(''),
  origins: z
    .array(CorsOrigin)
    .min(1, 'required')
    .max(100, 'itemsExceedLimit')
    .describe('`https://www.example.com`, `https://*.example.com` for all names below it, or `*`.'),
  methods: z
    .array(CorsMethod)
    .max(20, 'itemsExceedLimit')
    .default(['GET', 'HEAD', 'POST'])
    .describe('What pages of those origins may send.'),
  headers: z
    .array(z.literal('*').or(HeaderName))
    .max(100, 'itemsExceedLimit')
    .default([])
    .describe('Request headers that they may set beside the plain ones; `*` for whichever they ask for.'),
  exposeHeaders: z
    .array(HeaderName)
    .max(100, 'itemsExceedLimit')
    .default([])
    .describe('Headers of answers that they may read beside the plain ones.'),
  credentials: z.boolean().default(false).describe('Whether they may send cookies and read what comes back.'),
  maxAge: z
    .number()
    .int('number')
    .min(0, 'number')
    .max(86_400, 'number')
    .default(600)
    .describe('Seconds for which a browser may remember the permission.'),
})
export type Cors = z.output<typeof Cors>

export const cors = settingsModule('cors', {
  one: 'cors',
  body: Cors,
  bindAs: 'corsID',
  noun: 'CORS module',
  check({ origins, credentials }, context) {
    // Any site that a visitor opens could then act on the visitor's behalf here.
    if (credentials && origins.includes('*'))
      context.addIssue({ code: 'custom', path: ['credentials'], message: 'corsEveryOrigin' })
  },
})
