/** Public keys that sign tokens: the algorithms they fit, and parsing of JWKS (RFC 7517). */
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { type JwtAlgorithm, jwksKeysMax, jwtAlgorithms } from '@breakwater/contract/authentication/auth-groups.ts'
import { z } from 'zod'

const rsaBitsMin = 2048

/** Whether a public key fits the algorithm and is strong enough. */
export function fits(key: KeyObject, algorithm: JwtAlgorithm): boolean {
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {}
  if (algorithm === 'HS256') return false
  if (algorithm === 'ES256') return key.asymmetricKeyType === 'ec' && namedCurve === 'prime256v1'
  if (algorithm === 'EdDSA') return key.asymmetricKeyType === 'ed25519'
  return key.asymmetricKeyType === 'rsa' && modulusLength >= rsaBitsMin
}

/** Parses claims of the form `name=value` into what nodes get; an empty object if there are none. */
export function claimsOf(claims: readonly string[] = []): { claims?: Record<string, string> } {
  if (claims.length === 0) return {}
  const pairs = claims.map((claim) => [claim.slice(0, claim.indexOf('=')), claim.slice(claim.indexOf('=') + 1)])
  return { claims: Object.fromEntries(pairs) }
}

/** A key of a JWKS in the form nodes verify with. `key` is its SPKI, DER in base64. */
export const JwksKey = z.object({ kid: z.string(), algorithm: z.enum(jwtAlgorithms), key: z.string() })
export type JwksKey = z.output<typeof JwksKey>

/** Why a text is not a usable JWKS. */
export class JwksProblem extends Error {
  readonly reason: 'notJwks' | 'noKeys'
  constructor(reason: JwksProblem['reason']) {
    super(reason)
    this.reason = reason
  }
}

const Document = z.object({ keys: z.array(z.record(z.string(), z.unknown())).max(200) })
/** The algorithm assumed for a key that does not name one. */
const usual: Readonly<Record<string, JwtAlgorithm>> = { RSA: 'RS256', EC: 'ES256', OKP: 'EdDSA' }

/**
 * The keys of a JWKS that sign and that nodes can verify with; of several with the same id, the first. Other keys are
 * skipped, including shared secrets: anybody who can read one could forge tokens. Throws a JwksProblem if no key is
 * left.
 */
export function readJwks(text: string): JwksKey[] {
  let document: z.output<typeof Document>
  try {
    document = Document.parse(JSON.parse(text))
  } catch {
    throw new JwksProblem('notJwks')
  }
  const keys = new Map<string, JwksKey>()
  for (const one of document.keys) {
    const read = readKey(one)
    if (read && !keys.has(read.kid)) keys.set(read.kid, read)
  }
  if (keys.size === 0) throw new JwksProblem('noKeys')
  return [...keys.values()].slice(0, jwksKeysMax)
}

const kidMax = 256

function readKey(jwk: Record<string, unknown>): JwksKey | undefined {
  const { kty, use, alg, kid = '' } = jwk
  const algorithm = jwtAlgorithms.find((one) => one === (alg ?? usual[String(kty)]))
  if (algorithm === undefined || (use !== undefined && use !== 'sig')) return undefined
  if (typeof kid !== 'string' || kid.length > kidMax) return undefined
  // Only the public part of a private key is used.
  const { kty: type, n, e, crv, x, y } = jwk as JsonWebKey
  const parts = Object.fromEntries(
    Object.entries({ kty: type, n, e, crv, x, y }).filter(([, part]) => part !== undefined),
  )
  try {
    const key = createPublicKey({ key: parts as JsonWebKey, format: 'jwk' })
    if (!fits(key, algorithm)) return undefined
    return { kid, algorithm, key: key.export({ type: 'spki', format: 'der' }).toString('base64') }
  } catch {
    return undefined
  }
}
