/** Edge authentication as nodes get it. What a group accepts is a secret, and travels apart. */
import { z } from 'zod'
import { HeaderName } from '../fields.ts'
import { distinct, edgeRule, rulesMax } from '../firewall/edge-rule-fields.ts'
import { SecretRef } from './secret-ref.ts'

export const EdgeAuthRule = edgeRule({
  type: z.enum(['basic', 'key', 'jwt']),
  /** JSON of `AuthGroupSecrets`. */
  group: SecretRef,
  /** What a browser calls the place that asks for a password: printable ASCII. */
  realm: z.string().regex(/^[\x20-\x7e]{1,256}$/),
  /** Where keys are looked for. */
  place: z
    .strictObject({
      in: z.enum(['header', 'query', 'cookie']),
      name: HeaderName,
    })
    .optional(),
  /** Whether origins get what the visitor showed. */
  forward: z.boolean(),
})
export type EdgeAuthRule = z.output<typeof EdgeAuthRule>

/** The part of kind `authRules`: edge authentication of a domain, in the order in which its rules are asked. */
export const AuthRulesPart = z.strictObject({
  kind: z.literal('authRules'),
  rules: distinct(EdgeAuthRule, rulesMax),
})
export type AuthRulesPart = z.output<typeof AuthRulesPart>

/** Of a key that signs tokens: base64 of the shared secret, or of the public key (SPKI in DER); what claims must be, '' for anything. */
export type TokenKey = {
  algorithm: 'HS256' | 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'ES256' | 'EdDSA'
  kid: string
  issuer: string
  audience: string
  /** Claims that a token must make besides, each with its value. */
  claims?: Record<string, string> | undefined
  key: string
}

/** Of a password: base64 of the salt and of what scrypt made of both, or, of one that was brought along, what crypt(3) made of it. Of a key: base64 of its SHA-256. */
export type AuthSecret =
  | { name: string; salt: string; hash: string }
  | { name: string; crypt: string }
  | { hash: string }
  | TokenKey

/** What a group accepts, by the id of each entry, and keys of its JWKS by `jwks-<n>`; `off` for one that is disabled. */
export type AuthGroupSecrets = Record<string, AuthSecret & { off?: true }>
