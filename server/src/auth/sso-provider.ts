/** An OpenID provider, as the library sees it: found by its issuer, asked through the guard (code flow, PKCE, nonce, state). */
import { genericCharsMax } from '@breakwater/contract/fields.ts'
import * as oidc from 'openid-client'
import { foreignText } from '../db/foreign-text.ts'
import { guardedFetch } from '../outbound/fetch.ts'
import type { OutboundGuard } from '../outbound/guard.ts'

export type Provider = { issuer: string; clientId: string; secret: string }

/** How long a provider's description is good for, in ms: it names keys, which are changed now and then. */
const descriptionMs = 5 * 60_000

const known = new Map<string, { at: number; description: Promise<oidc.Configuration> }>()

/** Reads a provider's description. Throws with what went wrong, in words for the operator. */
export function discover(guard: OutboundGuard, provider: Provider): Promise<oidc.Configuration> {
  const key = JSON.stringify(provider)
  const found = known.get(key)
  if (found && Date.now() - found.at < descriptionMs) return found.description
  const description = read(guard, provider)
  known.set(key, { at: Date.now(), description })
  description.catch(() => known.delete(key))
  return description
}

function read(guard: OutboundGuard, { issuer, clientId, secret }: Provider): Promise<oidc.Configuration> {
  const fetch: oidc.CustomFetch = (url, { method, headers, body, signal }) =>
    guardedFetch(guard, url, {
      method,
      headers,
      body: (body ?? null) as string | URLSearchParams | null,
      ...(signal ? { signal } : {}),
    })
  return oidc.discovery(
    new URL(issuer),
    clientId,
    secret === '' ? { token_endpoint_auth_method: 'none' } : secret,
    secret === '' ? oidc.None() : undefined,
    // Plain http is for this machine only; the settings take no other such address.
    { [oidc.customFetch]: fetch, ...(issuer.startsWith('http:') ? { execute: [oidc.allowInsecureRequests] } : {}) },
  )
}

/** OpenID Connect Core 2: a subject has at most 255 characters. */
const subjectCharsMax = 255

export type AuthorizationState = { state: string; nonce: string; verifier: string }

/** Where the browser goes, and what must be remembered until it comes back. */
export async function beginAuthorization(
  config: oidc.Configuration,
  redirectUri: string,
): Promise<{ url: string; authorization: AuthorizationState }> {
  const authorization = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
  }
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    response_type: 'code',
    state: authorization.state,
    nonce: authorization.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(authorization.verifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, authorization }
}

export type Person = { subject: string; email: string; emailVerified: boolean; name: string }

/** From the provider's answer to the person it vouches for. Throws where anything does not fit. */
export async function exchangeCode(
  config: oidc.Configuration,
  callback: URL,
  authorization: AuthorizationState,
): Promise<Person> {
  const tokens = await oidc.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: authorization.verifier,
    expectedState: authorization.state,
    expectedNonce: authorization.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  // Its subject is compared, so it is taken as it is or not at all.
  if (!claims || foreignText(claims.sub, subjectCharsMax) !== claims.sub)
    throw new Error('the provider sent no identity')
  // Some tell the address only when asked again.
  const more =
    claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
      ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
      : {}
  const all: Record<string, unknown> = { ...claims, ...more }
  const text = (value: unknown) => (typeof value === 'string' ? foreignText(value, genericCharsMax) : '')
  return {
    subject: claims.sub,
    email: text(all.email).toLowerCase(),
    emailVerified: all.email_verified === true,
    name: text(all.name) || text(all.preferred_username) || text(all.email),
  }
}
