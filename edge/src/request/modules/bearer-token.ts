/** Bearer tokens (JWT, RFC 7519): parsed, and their claims checked. Pure: signatures are verified elsewhere. */

/** Tolerated clock skew in seconds. */
const leeway = 60

export type TokenTools = {
  decode: (this: void, json: string) => unknown
  fromBase64url: (this: void, text: string) => string | undefined
}

export type BearerToken = {
  algorithm: string
  /** The id of the signing key; '' if the token names none. */
  kid: string
  /** The signed text, and the signature. */
  text: string
  signature: string
  claims: Record<string, unknown>
}

const isObject = (value: unknown): value is Record<string, unknown> => type(value) === 'table'
const onlyBase64url = (text: string): boolean => text !== '' && string.find(text, '^[A-Za-z0-9_-]+$')[0] !== undefined

/** Parses a token. Returns undefined if it is not one. Keys that it contains or points to are ignored. */
export function readToken(token: string, { decode, fromBase64url }: TokenTools): BearerToken | undefined {
  const parts = token.split('.')
  const [head = '', body = '', signed = ''] = parts
  if (parts.length !== 3 || !onlyBase64url(head) || !onlyBase64url(body) || !onlyBase64url(signed)) return undefined
  const read = (part: string) => decode(fromBase64url(part) ?? '')
  const [header, claims, signature] = [read(head), read(body), fromBase64url(signed)]
  if (!isObject(header) || !isObject(claims) || signature === undefined) return undefined
  const { alg, kid } = header
  // No critical extension is supported (RFC 7515, 4.1.11).
  if (type(alg) !== 'string' || header.crit !== undefined) return undefined
  if (kid !== undefined && type(kid) !== 'string') return undefined
  return {
    algorithm: alg as string,
    kid: (kid as string | undefined) ?? '',
    text: `${head}.${body}`,
    signature,
    claims,
  }
}

const isTime = (value: unknown): value is number => type(value) === 'number'

function isFor(audience: string, given: unknown): boolean {
  if (type(given) === 'string') return given === audience
  return isObject(given) && (given as unknown as string[]).includes(audience)
}

/** Whether a claim has a value: as its own, in its list, or as one word of a scope (RFC 8693, 4.2). */
function makes(given: unknown, name: string, value: string): boolean {
  if (given === undefined) return false
  if (isObject(given)) return (given as unknown as unknown[]).includes(value)
  if (type(given) === 'string' && name === 'scope') return (given as string).split(' ').includes(value)
  return type(given) !== 'userdata' && tostring(given) === value
}

/** Until when a token is valid, in epoch seconds; 0 if it is not. A token without `exp` never is. */
export function endOf(
  said: Record<string, unknown>,
  { issuer, audience, claims }: { issuer: string; audience: string; claims?: Record<string, string> | undefined },
  now: number,
): number {
  const { exp, nbf, iss, aud } = said
  if (!isTime(exp) || now >= exp + leeway) return 0
  if (nbf !== undefined && (!isTime(nbf) || now < nbf - leeway)) return 0
  if (issuer !== '' && iss !== issuer) return 0
  if (audience !== '' && !isFor(audience, aud)) return 0
  if (claims !== undefined) for (const name in claims) if (!makes(said[name], name, claims[name]!)) return 0
  return exp + leeway
}
