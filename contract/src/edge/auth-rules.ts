/** Edge authentication as nodes get it. The credentials of a group are a secret, which is sent separately. */
import { z } from 'zod'
import { HeaderName } from '../fields.ts'
import { distinct, edgeRule, rulesMax } from '../firewall/edge-rule-fields.ts'
import { SecretRef } from './secret-ref.ts'

export const EdgeAuthRule = edgeRule({
  type: z.enum(['basic', 'key', 'jwt']),
  /** JSON of `AuthGroupSecrets`. */
  group: SecretRef,
  /** The realm that browsers show when they ask for a password: printable ASCII. */
  realm: z.string().regex(/^[\x20-\x7e]{1,256}$/),
  /** Where keys are looked for. */
  place: z
    .strictObject({
      in: z.enum(['header', 'query', 'cookie']),
      name: HeaderName,
    })
    .optional(),
  /** Whether origins get the visitor's credentials. */
  forward: z.boolean(),
})
export type EdgeAuthRule = z.output<typeof EdgeAuthRule>

/** The part of kind `authRules`: edge authentication of a domain, with its rules in evaluation order. */
export const AuthRulesPart = z.strictObject({
  kind: z.literal('authRules'),
  rules: distinct(EdgeAuthRule, rulesMax),
})
export type AuthRulesPart = z.output<typeof AuthRulesPart>

/**
 * A key for tokens: base64 of the shared secret, or of the public key (SPKI in DER); the required claims, '' for any
 * value.
 */
export type TokenKey = {
  algorithm: 'HS256' | 'RS256' | 'RS384' | 'RS512' | 'PS256' | 'ES256' | 'EdDSA'
  kid: string
  issuer: string
  audience: string
  /** Further claims that a token must have, each with its value. */
  claims?: Record<string, string> | undefined
  key: string
}

/**
 * For a password: base64 of the salt and of the scrypt hash or, if it was imported, its crypt(3) hash. For a key:
 * base64 of its SHA-256.
 */
export type AuthSecret =
  | { name: string; salt: string; hash: string }
  | { name: string; crypt: string }
  | { hash: string }
  | TokenKey

/** The credentials of a group by entry id, and the keys of its JWKS as `jwks-<n>`; `off` for a disabled entry. */
export type AuthGroupSecrets = Record<string, AuthSecret & { off?: true }>
