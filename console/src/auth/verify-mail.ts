/** `verifyMail`: the link of a letter. No screen: it leads to choosing a password, or to the door with a word (rules E). */
import { invitation } from '@breakwater/contract/auth/invitation.ts'
import { signIn } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { redirect } from '@tanstack/react-router'
import { send } from '../app/browser.ts'
import { Fault } from '../app/fault.ts'
import { phrasesNow } from '../app/phrases.ts'
import { placesOf } from '../app/places.ts'
import { endSession } from '../app/session.ts'
import { cookieTokens } from '../app/tokens.ts'
import { toasts } from '../kit/toasts.ts'

/** Always throws where to go. */
export async function followMailLink(tier: Tier, token: unknown): Promise<never> {
  const places = placesOf(tier)
  let search: object
  try {
    const { auth, email, id, name } = await send(invitation.checkToken, { body: { token: String(token ?? '') } })
    search = { auth, email, id, name, token }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    toasts.info((await phrasesNow('auth'))('mail.invalid'))
    throw redirect({ to: places.door, search: {} as never, replace: true })
  }
  await leave(tier)
  throw redirect({ to: places.createPassword, search: search as never, replace: true })
}

/** Ends the session of this console, if there is one: else the guard of the door would send the person past it (gaps L-22). */
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
