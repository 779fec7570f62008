/** An OpenID provider, found by its issuer and called through the outbound guard (code flow, PKCE, nonce, state). */
import { genericCharsMax } from '@breakwater/contract/fields.ts'
import * as oidc from 'openid-client'
import { foreignText } from '../db/foreign-text.ts'
import { guardedFetch } from '../outbound/fetch.ts'
import type { OutboundGuard } from '../outbound/guard.ts'

export type Provider = { issuer: string; clientId: string; secret: string }

/** How long a provider's metadata is cached, in ms: it lists keys, which are rotated now and then. */
const descriptionMs = 5 * 60_000

const known = new Map<string, { at: number; description: Promise<oidc.Configuration> }>()

/** Fetches a provider's metadata. Throws an error that explains to the operator what went wrong. */
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
    // Plain HTTP is for this machine only; the settings accept no other such URL.
    { [oidc.customFetch]: fetch, ...(issuer.startsWith('http:') ? { execute: [oidc.allowInsecureRequests] } : {}) },
  )
}

/** OpenID Connect Core 2: a subject has at most 255 characters. */
const subjectCharsMax = 255

export type AuthorizationState = { state: string; nonce: string; verifier: string }

/** The URL to which the browser is sent, and the state to keep until it returns. */
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

/** Exchanges the provider's callback for the person it vouches for. Throws if anything does not match. */
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
  // The subject is compared with stored ones, so it is taken unchanged or not at all.
  if (!claims || foreignText(claims.sub, subjectCharsMax) !== claims.sub)
    throw new Error('the provider sent no identity')
  // Some providers return the address only from the userinfo endpoint.
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
