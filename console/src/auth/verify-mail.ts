/** `verifyMail`: the link of a letter. No screen: it leads to choosing a password, or to the sign-in page with a message. */
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

/** Always throws where to go. */
export async function followMailLink(tier: Tier, token: unknown): Promise<never> {
  let search: { auth: Tier; [name: string]: unknown }
  try {
    const { auth, email, id, name } = await send(invitation.checkToken, { body: { token: String(token ?? '') } })
    search = { auth, email, id, name, token }
  } catch (error) {
    // That no answer came says nothing of the link: the page of an outage offers another try.
    if (!(error instanceof Fault) || error.status === 0 || error.status >= 500) throw error
    toasts.info((await phrasesNow('auth'))('mail.invalid'))
    throw redirect({ to: placesOf(tier).signIn, search: {} as never, replace: true })
  }
  // The account's console, whichever the address named.
  await leave(search.auth)
  throw redirect({ to: placesOf(search.auth).createPassword, search: search as never, replace: true })
}

/** Ends the session of this console, if there is one: else the sign-in page would redirect to the console. */
async function leave(tier: Tier): Promise<void> {
  const tokens = cookieTokens.read(tier)
  if (!tokens) return
  const { accessToken, refreshToken } = tokens
  try {
    await send(signIn.logout, { body: { accessToken, refreshToken } })
  } catch (error) {
    // A session that the server no longer knows has ended already.
    if (!(error instanceof Fault)) throw error
  }
  endSession(tier)
}
