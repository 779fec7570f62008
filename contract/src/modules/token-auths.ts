/**
 * Token auth: URLs that are valid for a while, signed by the customer's own application with a key that the edge knows.
 * Kinds A to D are those of common CDNs, so that an application that signs for one of them need not change.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Id, urlCharsMax } from '../fields.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { moduleFamily } from './module-family.ts'

export const tokenKinds = ['hmac', 'A', 'B', 'C', 'D'] as const
export type TokenKind = (typeof tokenKinds)[number]

/** The parameter that carries the signature by default; B and C carry it in the path. */
export const usualParameters: Readonly<Record<TokenKind, string>> = {
  hmac: 'verify',
  A: 'auth_key',
  B: '',
  C: '',
  D: 'sign',
}

const Key = z.string().regex(/^[\x21-\x7e]{8,128}$/, 'wrongFormat')

export const TokenAuth = z.strictObject({
  urlRegex: UrlRegex.describe('Matched against the canonical path, without the signature.'),
  kind: wordOf(
    'TokenKind',
    'How a URL is signed: hmac is path?verify=<time>-<HMAC-SHA256>, A is ?auth_key=, B and C are parts of the path, D is ?sign=&t=.',
    tokenKinds,
  ).default('hmac'),
  key: Key.describe('Written, never read: replies show its first four characters.'),
  key2: Key.or(z.literal('')).default('').describe('A second key that counts as well, while keys are changed.'),
  ttl: z
    .number()
    .int('number')
    .min(1, 'number')
    .max(31_536_000, 'number')
    .default(1800)
    .describe('Seconds from the signature’s time on.'),
  parameter: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,32}$/, 'wrongFormat')
    .default('')
    .describe('The parameter that carries the signature; empty for the usual one of the kind.'),
  enabled: z.boolean().default(true),
})
export type TokenAuth = z.output<typeof TokenAuth>

const family = moduleFamily('tokenAuths', {
  one: 'tokenAuth',
  many: 'tokenAuths',
  items: { one: 'auth', many: 'auths' },
  count: 'itemCount',
  item: TokenAuth,
  shown: TokenAuth.extend({ key: z.string(), key2: z.string() }),
  changed: { key: Key.optional(), key2: Key.or(z.literal('')).optional() },
  max: 100,
  noun: 'token auth module',
  itemNoun: 'signature rule',
})

export const tokenAuths = {
  ...family,
  calls: {
    ...family.calls,
    sign: endpoint('site.module.tokenAuth.sign', 'POST', '/:tier/site/:siteId/module/tokenAuth/:moduleId/sign', {
      can: 'modules.write',
      body: z.strictObject({
        id: Id,
        path: z
          .string()
          .max(urlCharsMax, 'charactersExceedLimit')
          .regex(/^\/[\x21\x22\x24-\x7e]*$/, 'wrongFormat')
          .describe('A path with or without a query, as a visitor would send it.'),
      }),
      reply: z.object({ path: z.string() }),
      beyond: true,
      summary: 'Signs a path with the key of a rule, as the customer’s application would.',
    }),
  },
}
