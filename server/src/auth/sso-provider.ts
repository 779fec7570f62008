/** An OpenID provider, as the library sees it: found by its issuer, asked through the guard (code flow, PKCE, nonce, state). */
import * as oidc from 'openid-client'
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

export type Journey = { state: string; nonce: string; verifier: string }

/** Where the browser goes, and what must be remembered until it comes back. */
export async function setOut(
  config: oidc.Configuration,
  redirectUri: string,
): Promise<{ url: string; journey: Journey }> {
  const journey = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    response_type: 'code',
    state: journey.state,
    nonce: journey.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(journey.verifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, journey }
}

export type Person = { subject: string; email: string; emailVerified: boolean; name: string }

/** From the provider's answer to the person it vouches for. Throws where anything does not fit. */
export async function arrive(config: oidc.Configuration, callback: URL, journey: Journey): Promise<Person> {
  const tokens = await oidc.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: journey.verifier,
    expectedState: journey.state,
    expectedNonce: journey.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) throw new Error('the provider sent no identity')
  // Some tell the address only when asked again.
  const more =
    claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
      ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
      : {}
  const all: Record<string, unknown> = { ...claims, ...more }
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return {
    subject: claims.sub,
    email: text(all.email).toLowerCase(),
    emailVerified: all.email_verified === true,
    name: text(all.name) || text(all.preferred_username) || text(all.email),
  }
}
