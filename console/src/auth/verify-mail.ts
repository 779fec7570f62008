/**
 * `verifyMail`: the link in an e-mail. It has no screen; it leads to choosing a password, or to the sign-in page with a
 * message.
 */
import { invitation } from '@breakwater/contract/auth/invitation.ts'
import { signIn } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { redirect } from '@tanstack/react-router'
import { send } from '../platform/browser.ts'
import { Fault } from '../platform/fault.ts'
import { phrasesNow } from '../platform/phrases.ts'
import { placesOf } from '../platform/places.ts'
import { endSession } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { cookieTokens } from '../platform/tokens.ts'

/** Always throws a redirect. */
export async function followMailLink(tier: Tier, token: unknown): Promise<never> {
  let search: { auth: Tier; [name: string]: unknown }
  try {
    const { auth, email, id, name } = await send(invitation.checkToken, { body: { token: String(token ?? '') } })
    search = { auth, email, id, name, token }
  } catch (error) {
    // A missing response does not mean that the link is invalid: the error page offers to retry.
    if (!(error instanceof Fault) || error.status === 0 || error.status >= 500) throw error
    toasts.info((await phrasesNow('auth'))('mail.invalid'))
    throw redirect({ to: placesOf(tier).signIn, search: {} as never, replace: true })
  }
  // The console of the account, whichever one the link named.
  await leave(search.auth)
  throw redirect({ to: placesOf(search.auth).createPassword, search: search as never, replace: true })
}

/** Ends the session of this console, if there is one: otherwise the sign-in page would redirect to the console. */
async function leave(tier: Tier): Promise<void> {
  const tokens = cookieTokens.read(tier)
  if (!tokens) return
  const { accessToken, refreshToken } = tokens
  try {
    await send(signIn.logout, { body: { accessToken, refreshToken } })
  } catch (error) {
    // A session that the server no longer knows has already ended.
    if (!(error instanceof Fault)) throw error
  }
  endSession(tier)
}
