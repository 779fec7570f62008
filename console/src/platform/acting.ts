/**
 * Acting for another account in this browser: from the page that started it, through `switchUser`, and back. The
 * previous session is put aside for the lifetime of this tab, so that stopping returns to where the user came from. No
 * tokens are stored anywhere that outlives the tab: a session that was put aside must not be available to the next
 * person at this machine.
 */
import { sessionCalls } from '@breakwater/contract/auth/sessions.ts'
import { signIn, type TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { send } from './browser.ts'
import { Fault } from './fault.ts'
import { placesOf } from './places.ts'
import { beforeKey, endSession, startSession } from './session.ts'
import { cookieTokens } from './tokens.ts'

const nonceKey = 'breakwater.switch.nonce'

type Before = { back: string; tokens: TokenSet | null }

/**
 * Requests a code and goes to the other console with it. The nonce stays in this tab: a link made by somebody else has
 * no effect here, so nobody can be lured into another's account.
 */
export async function actFor(target: { id: number; auth: Tier }, reason: string): Promise<void> {
  const { code, auth } = await send(sessionCalls.proxy, { body: { id: target.id, auth: target.auth, reason } })
  // Starts with a letter: the router would parse a string of digits in the URL as a number, and round it.
  const nonce = `n${crypto.getRandomValues(new Uint32Array(4)).join('')}`
  sessionStorage.setItem(nonceKey, nonce)
  sessionStorage.setItem(
    beforeKey(auth),
    JSON.stringify({
      back: location.pathname + location.search,
      tokens: cookieTokens.read(auth) ?? null,
    } satisfies Before),
  )
  location.assign(`/${auth}/switchUser?${new URLSearchParams({ code, nonce })}`)
}

type Query = { code?: unknown; nonce?: unknown; accessToken?: unknown; refreshToken?: unknown; tokenType?: unknown }

/**
 * Starts the session of a link to `switchUser`. Returns where to go: the sign-in page if the link is incomplete or not
 * ours.
 */
export async function enterBySwitch(tier: Tier, query: Query): Promise<string> {
  const { signIn } = placesOf(tier)
  const expected = sessionStorage.getItem(nonceKey)
  sessionStorage.removeItem(nonceKey)
  const tokens = expected !== null && String(query.nonce) === expected ? await tokensOf(query) : undefined
  const place = tokens && (await startSession(tier, tokens))
  if (place === undefined) sessionStorage.removeItem(beforeKey(tier))
  return place ?? signIn
}

/** Exchanges a code for tokens, or takes the three token parameters of the query. */
async function tokensOf({ code, accessToken, refreshToken, tokenType }: Query): Promise<TokenSet | undefined> {
  if (code !== undefined) {
    try {
      return await send(sessionCalls.switchUser, { body: { code: String(code) } })
    } catch (error) {
      if (error instanceof Fault) return undefined
      throw error
    }
  }
  if (!accessToken || !refreshToken || !tokenType) return undefined
  return { accessToken: String(accessToken), refreshToken: String(refreshToken), tokenType: String(tokenType) }
}

/** Ends the session of acting for another, and returns to where the user came from. */
export async function stopActing(tier: Tier): Promise<void> {
  const tokens = cookieTokens.read(tier)
  if (tokens) {
    const { accessToken, refreshToken } = tokens
    try {
      await send(signIn.logout, { body: { accessToken, refreshToken } })
    } catch (error) {
      // The session may have expired already.
      if (!(error instanceof Fault)) throw error
    }
  }
  const text = sessionStorage.getItem(beforeKey(tier))
  endSession(tier)
  const before = text === null ? undefined : (JSON.parse(text) as Before)
  if (before?.tokens) cookieTokens.write(tier, before.tokens)
  location.assign(before?.back ?? placesOf(tier).signIn)
}
