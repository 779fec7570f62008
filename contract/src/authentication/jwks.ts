/**
 * Token keys from a JWKS (RFC 7517): fetched by the control plane every ten minutes from a URL, or pasted. They are
 * used in addition to the group's own keys; if both have a key of the same name, the group's own wins.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Algorithm, Claim, RequiredClaims } from './auth-groups.ts'

const path = '/:tier/site/:siteId/auth/group/:groupId/jwks'
const tiers = ['user', 'client'] as const
const textMax = 65_536

/** HTTPS only: whoever could change the response could let anybody in. */
const JwksUrl = z
  .string()
  .trim()
  .max(2048, 'charactersExceedLimit')
  .refine((text) => text === '' || (URL.canParse(text) && /^https:\/\/[^@/?#]+([/?][^#]*)?$/.test(text)), 'wrongFormat')

export const JwksChange = z.strictObject({
  url: JwksUrl.default('').describe('Where the keys are; https alone.'),
  keys: z
    .string()
    .max(textMax, 'charactersExceedLimit')
    .default('')
    .describe('A JWKS as JSON in place of a URL. Left empty with neither a URL, there are none any more.'),
  issuer: Claim.describe('What `iss` must be; empty for anything.'),
  audience: Claim.describe('What `aud` must be or hold; empty for anything.'),
  claims: RequiredClaims,
})
export type JwksChange = z.output<typeof JwksChange>

export const Jwks = z.object({
  url: z.string(),
  issuer: z.string(),
  audience: z.string(),
  claims: z.array(z.string()),
  found: z.array(z.object({ kid: z.string(), algorithm: Algorithm })).describe('The keys that count now.'),
  triedAt: z.string().nullable(),
  fetchedAt: z.string().nullable(),
  problem: wordOf('JwksProblem', 'What was wrong with the last answer; the keys of the one before count on.', [
    '',
    'unreachable',
    'notJwks',
    'noKeys',
  ]),
})
export type Jwks = z.output<typeof Jwks>

export const jwks = {
  get: endpoint('site.auth.group.jwks.get', 'GET', path, {
    tiers,
    can: 'firewall.read',
    beyond: true,
    reply: Jwks,
    summary: 'Returns the JWKS source of an authentication group and its current keys.',
  }),
  update: endpoint('site.auth.group.jwks.update', 'PUT', path, {
    tiers,
    can: 'firewall.write',
    beyond: true,
    body: JwksChange,
    summary: 'Sets the JWKS URL of an authentication group, or the keys themselves.',
  }),
}
